#!/bin/sh
# How src/ninefold/analysis/networks/ultimate.net was made: two generations, on 16 cores and a GPU.
# The rows are the same everywhere; a fit on another machine gives other weights. Each command goes on where it was
# interrupted.
set -eu
ninefold train generate ultimate --files 1843 --seed 1 --out ultimate-1
ninefold train fit ultimate-1 --epochs 45 --out ultimate-1.fit
ninefold train export ultimate-1.fit --out ultimate-1.net
ninefold train generate ultimate --files 1216 --seed 2 --network ultimate-1.net --out ultimate-2
ninefold train fit ultimate-2 --epochs 52 --out ultimate-2.fit
ninefold train export ultimate-2.fit --out ultimate.net
