#!/bin/sh
# How src/ninefold/analysis/networks/ultimate-boards.net was made: two generations, on 16 cores and a GPU.
# The rows are the same everywhere; a fit on another machine gives other weights. Each command goes on where it was
# interrupted.
set -eu
ninefold train generate ultimate --option tie_break=boards --files 944 --seed 1 --out ultimate-boards-1
ninefold train fit ultimate-boards-1 --epochs 42 --out ultimate-boards-1.fit
ninefold train export ultimate-boards-1.fit --out ultimate-boards-1.net
ninefold train generate ultimate --option tie_break=boards --files 999 --seed 2 --network ultimate-boards-1.net --out ultimate-boards-2
ninefold train fit ultimate-boards-2 --epochs 50 --out ultimate-boards-2.fit
ninefold train export ultimate-boards-2.fit --out ultimate-boards.net
