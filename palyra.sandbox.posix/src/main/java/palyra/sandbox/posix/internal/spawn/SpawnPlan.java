package palyra.sandbox.posix.internal.spawn;

import java.util.List;
import java.util.Map;

/**
 * What posix_spawn(3) is given.
 *
 * @param program what is executed, in bytes; a path of the child's
 * @param argv name and arguments, in bytes
 * @param environment {@code NAME=value}, in bytes
 * @param folder where it starts, in bytes; of no meaning with {@code place}
 * @param place descriptor of the folder where it starts; -1 for none
 * @param descriptors numbers in the child, and which of ours they are
 */
public record SpawnPlan(
        byte[] program,
        List<byte[]> argv,
        List<byte[]> environment,
        byte[] folder,
        int place,
        Map<Integer, Integer> descriptors) {}
