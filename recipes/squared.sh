#!/bin/sh
# How src/ninefold/analysis/networks/squared.net was made: two generations, on 16 cores and a GPU.
# The rows are the same everywhere; a fit on another machine gives other weights. Each command goes on where it was
# interrupted.
set -eu
ninefold train generate squared --files 1613 --seed 1 --out squared-1
ninefold train fit squared-1 --epochs 45 --out squared-1.fit
ninefold train export squared-1.fit --out squared-1.net
ninefold train generate squared --files 1150 --seed 2 --network squared-1.net --out squared-2
ninefold train fit squared-2 --epochs 52 --out squared-2.fit
ninefold train export squared-2.fit --out squared.net
