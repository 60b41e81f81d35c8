"""Cascades: does a team of agents adopt a false claim that two confederates plant on its board?"""
