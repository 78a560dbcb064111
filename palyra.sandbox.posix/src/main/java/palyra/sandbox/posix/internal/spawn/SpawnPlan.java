package palyra.sandbox.posix.internal.spawn;

import java.util.List;
import java.util.Map;

/**
 * Arguments of posix_spawn(3).
 *
 * @param program path to execute, in bytes; resolved in the child
 * @param argv name and arguments, in bytes
 * @param environment {@code NAME=value}, in bytes
 * @param folder working folder, in bytes; ignored with {@code place}
 * @param place descriptor of the working folder; -1 to use {@code folder}
 * @param descriptors descriptor numbers of the child, mapped to ours
 */
public record SpawnPlan(
        byte[] program,
        List<byte[]> argv,
        List<byte[]> environment,
        byte[] folder,
        int place,
        Map<Integer, Integer> descriptors) {}
