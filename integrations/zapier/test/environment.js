// Imported before the platform, which decides at once how much to log.
process.env.NODE_ENV = 'test';
// Without one it refuses to keep a dropdown's cursor, even in the test's own store.
process.env.ZAPIER_DEPLOY_KEY = 'none';
