"""Court of Facts: does a model keep a fact that it was handed when a confident voice disagrees?"""
