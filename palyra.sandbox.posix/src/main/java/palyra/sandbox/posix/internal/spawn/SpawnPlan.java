package palyra.sandbox.posix.internal.spawn;

import java.util.List;
import java.util.Map;

/**
 * What posix_spawn(3) is given.
 *
 * @param argv program and arguments, in bytes
 * @param environment {@code NAME=value}, in bytes
 * @param folder where it starts, in bytes
 * @param descriptors numbers in the child, and which of ours they are
 */
public record SpawnPlan(
        List<byte[]> argv,
        List<byte[]> environment,
        byte[] folder,
        Map<Integer, Integer> descriptors) {}
