package palyra.bench.skills;

/**
 * What one call came to; every engine must come to the same.
 *
 * @param code what the entrypoint returned
 * @param output text that the module wrote
 */
record Answer(int code, String output) {}
