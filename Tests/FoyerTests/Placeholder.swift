// Begun below.
