"""What only Court of Facts needs: its log's events, its spec, its answers, and which relations make its tables."""
