package palyra.testing.sandbox;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Where abuse takes place: a workspace, and outside of it a secret file, a victim process,
 * listeners on ports and on sockets.
 */
public final class SandboxTestBed implements AutoCloseable {
    private final Path root;
    private final Path host;
    private final List<Process> processes = new ArrayList<>();
    private final List<Closeable> servers = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();
    private final ServerSocket forbidden;
    private final ServerSocket open;

    /** Sets everything up below a folder. */
    public SandboxTestBed(Path root) throws IOException, InterruptedException {
        this.root = root.toRealPath();
        this.host = Files.createDirectory(this.root.resolve("asset"));
        Files.writeString(host.resolve("secret.txt"), "HOSTSECRET\n");
        Files.writeString(host.resolve("other.txt"), "HOSTSECRET\n");
        compile();
        this.forbidden = listen();
        this.open = listen();
        unix(host.resolve("host.sock"), "HOSTSOCK\n");
        String abstractName = "palyra-abuse-" + ProcessHandle.current().pid();
        start("socat", "ABSTRACT-LISTEN:" + abstractName + ",fork", "SYSTEM:echo HOSTSOCK");
        Process victim = start("sleep", "600");
        environment.put("HOST", host.toString());
        environment.put("VP", "" + victim.pid());
        environment.put("GATEWAY", "" + ProcessHandle.current().pid());
        environment.put("ABS", abstractName);
        environment.put("HT", "" + forbidden.getLocalPort());
        environment.put("OT", "" + open.getLocalPort());
        environment.put("FREE", "" + freePort());
        environment.put("NODE", Files.readString(Path.of("/proc/sys/kernel/hostname")).strip());
    }

    private void compile() throws IOException, InterruptedException {
        for (String name : List.of("sct", "netp", "memb")) {
            Path source = root.resolve(name + ".c");
            try (InputStream in = SandboxTestBed.class.getResourceAsStream(name + ".c")) {
                Files.write(source, in.readAllBytes());
            }
            Process gcc =
                    new ProcessBuilder(
                                    "gcc",
                                    "-w",
                                    "-O1",
                                    "-o",
                                    root.resolve(name).toString(),
                                    source.toString())
                            .inheritIO()
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (gcc.waitFor() != 0) {
                throw new IllegalStateException(
                        "gcc cannot compile " + name + ".c: apt install gcc libc6-dev");
            }
        }
    }

    private Process start(String... command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("VICTIMTOKEN", "of-the-victim");
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private ServerSocket listen() throws IOException {
        ServerSocket server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        servers.add(server);
        return server;
    }

    private static int freePort() throws IOException {
        try (ServerSocket server = new ServerSocket()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return server.getLocalPort();
        }
    }

    /** Listens at a path and sends the same text to every client. */
    public void unix(Path path, String says) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(path));
        servers.add(server);
        Thread.ofPlatform().daemon().start(() -> serve(server, says));
    }

    private static void serve(ServerSocketChannel server, String says) {
        while (true) {
            try (SocketChannel client = server.accept()) {
                if (says.startsWith("HTTP")) {
                    client.read(ByteBuffer.allocate(65_536));
                }
                client.write(ByteBuffer.wrap(says.getBytes(StandardCharsets.UTF_8)));
            } catch (IOException e) {
                if (!server.isOpen()) {
                    return;
                }
            }
        }
    }

    /** Makes a workspace with what the list expects in it. */
    public Path workspace(String name) throws IOException {
        Path workspace = Files.createDirectory(root.resolve(name));
        Files.createSymbolicLink(workspace.resolve("link_out"), host.resolve("secret.txt"));
        Files.createDirectories(workspace.resolve(".git/hooks"));
        Files.createDirectories(workspace.resolve(".vscode"));
        Files.writeString(workspace.resolve(".vscode/tasks.json"), "own");
        Files.writeString(workspace.resolve(".git/config"), "[core]\n");
        for (String program : List.of("sct", "netp", "memb")) {
            Files.copy(root.resolve(program), workspace.resolve(program));
            workspace.resolve(program).toFile().setExecutable(true);
        }
        return workspace;
    }

    /** Returns the variables of the list, for a workspace. */
    public Map<String, String> environment(Path workspace) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("WS", workspace.toString());
        return all;
    }

    /** Returns the port that no sandbox may reach. */
    public int forbiddenPort() {
        return forbidden.getLocalPort();
    }

    /** Returns the folder outside. */
    public Path host() {
        return host;
    }

    /** Runs a script without a sandbox; returns its exit code, 124 when it took too long. */
    public int outside(String script, Path workspace) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder("/bin/sh", "-c", script)
                        .directory(workspace.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectInput(Path.of("/dev/null").toFile());
        builder.environment().putAll(environment(workspace));
        Process process = builder.start();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return 124;
        }
        return process.exitValue();
    }

    @Override
    public void close() throws IOException {
        for (Closeable server : servers) {
            server.close();
        }
        for (Process process : processes) {
            process.destroyForcibly().onExit().join();
        }
    }
}
