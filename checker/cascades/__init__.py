"""What only Cascades needs: its log's events, its spec, its replies, and which relations make its tables."""
