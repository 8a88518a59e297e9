"""What Ninefold costs, and what others do in the same time. ``make bench`` runs all of it."""
