package palyra.bench.skills;

/**
 * The result of one call; the same from every engine.
 *
 * @param code returned by the entrypoint
 * @param output text that the module wrote
 */
record CallResult(int code, String output) {}
