# store
