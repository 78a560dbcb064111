package palyra.itests.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import palyra.itests.Dist;
import palyra.shared.files.FileTree;

/**
 * The JVM's archive of the classes that every start of a gateway needs (CDS, JEP 350): a fifth of
 * the processor time of a start, of which the tests make about a hundred. Made once for what was
 * built, by whichever test comes first; without it gateways start as they do anywhere.
 */
final class ClassArchive {
    private static final long LIMIT_SECONDS = 120;

    private ClassArchive() {}

    /**
     * Returns the class path of a gateway's JVM. It is the same for every copy of the installation,
     * because the JVM takes an archive only for the very jars it was made with.
     */
    static String classPath() {
        return jars().get(0) + ":" + jars().get(1);
    }

    private static List<Path> jars() {
        Path lib = Dist.folder().resolve("lib");
        return List.of(
                lib.resolve("palyra.launcher.jar"), lib.resolve("org.apache.felix.framework.jar"));
    }

    /** Returns the options that make a JVM use the archive; none when it cannot be made. */
    static List<String> options(List<String> jvm) throws IOException, InterruptedException {
        Path folder = Dist.root().resolve("palyra.itests/target");
        Path archive = folder.resolve("gateway-" + fingerprint() + ".jsa");
        try (FileChannel lock =
                FileChannel.open(
                        folder.resolve("gateway.jsa.lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE)) {
            lock.lock();
            if (!Files.exists(archive)) {
                removeOthers(folder);
                make(archive, jvm);
            }
        }
        return Files.size(archive) == 0 ? List.of() : List.of("-XX:SharedArchiveFile=" + archive);
    }

    /** Those of earlier builds; whoever still uses one keeps what it has mapped. */
    private static void removeOthers(Path folder) throws IOException {
        try (DirectoryStream<Path> old = Files.newDirectoryStream(folder, "gateway-*.jsa")) {
            for (Path each : old) {
                Files.deleteIfExists(each);
            }
        }
    }

    private static String fingerprint() throws IOException {
        StringBuilder text = new StringBuilder(System.getProperty("java.vm.version"));
        for (Path jar : jars()) {
            text.append(Files.getLastModifiedTime(jar).toMillis()).append(' ');
            text.append(Files.size(jar)).append(' ');
        }
        return Integer.toHexString(text.toString().hashCode());
    }

    /** An empty file says that it could not be made, lest everybody tries. */
    private static void make(Path archive, List<String> jvm)
            throws IOException, InterruptedException {
        Path scratch = Files.createTempDirectory("palyra-class-archive");
        try {
            Path made = scratch.resolve("made.jsa");
            List<String> command = new ArrayList<>();
            command.add(GatewayProcess.java());
            command.addAll(jvm);
            command.add("-XX:ArchiveClassesAtExit=" + made);
            command.addAll(List.of("-cp", classPath(), "palyra.launcher.Main"));
            command.addAll(List.of("--headless", "--http-port", "0", "--stop-when-ready"));
            command.addAll(List.of("--set", "palyra.transport.grpc:port=0"));
            ProcessBuilder builder = new ProcessBuilder(command).directory(scratch.toFile());
            builder.environment().put("PALYRA_HOME", Dist.folder().toString());
            builder.environment().put("PALYRA_STATE", scratch.resolve("state").toString());
            builder.redirectErrorStream(true);
            builder.redirectOutput(scratch.resolve("console").toFile());
            Process process = builder.start();
            boolean good = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            good = good && process.exitValue() == 0 && Files.exists(made);
            process.destroyForcibly();
            Path draft = archive.resolveSibling(archive.getFileName() + ".draft");
            if (good) {
                Files.copy(made, draft, StandardCopyOption.REPLACE_EXISTING);
            } else {
                System.out.println(
                        "No class archive: " + Files.readString(scratch.resolve("console")));
                Files.write(draft, new byte[0]);
            }
            Files.move(draft, archive, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            FileTree.remove(scratch);
        }
    }
}
