import sys

from ninefold.cli import main

sys.exit(main())
