package palyra.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Where figures come from.
 *
 * @param system name, version and processor architecture of the operating system
 * @param fileSystem type of the file system under the work folder: on {@code tmpfs} a sync costs
 *     nothing and figures of the journal mean nothing
 * @param load what the kernel says about the load when it began; empty when it says nothing
 */
public record Machine(int cores, String jdk, String system, String fileSystem, String load) {
    private static final List<String> MEMORY = List.of("tmpfs", "ramfs");

    /** Looks at this machine. */
    public static Machine here(Path work) throws IOException {
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().toString(),
                System.getProperty("os.name")
                        + " "
                        + System.getProperty("os.version")
                        + " "
                        + System.getProperty("os.arch"),
                Files.getFileStore(work).type(),
                kernelLoad());
    }

    private static String kernelLoad() throws IOException {
        Path file = Path.of("/proc/loadavg");
        return Files.isReadable(file) ? Files.readString(file).strip() : "";
    }

    /** Returns whether the work folder is memory rather than a disk. */
    public boolean worksInMemory() {
        return MEMORY.contains(fileSystem);
    }
}
