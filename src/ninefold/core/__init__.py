"""What follows from the rules alone: positions, games, tables, exact values, rendering."""
