"""For people: the command line, pictures, matches. Pure Python."""
