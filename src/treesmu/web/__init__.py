"""The explorer: a page that shows what a model does with an equation, and the service that it asks. Needs FastAPI."""
