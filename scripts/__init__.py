"""What the makefile runs besides the program and its tests."""
