// The time limit of a project's own settings does not reach its hooks.
jest.setTimeout(300_000);
