"""What users read about their programs: messages of the API, and lines of errors."""
