package palyra.sandbox.tierc.linux.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * The Unix sockets that processes of a shared sandbox have bound to a path, by that path, as its
 * network namespace lists them; see proc_net(5). A command that binds one, gives its file another
 * name and keeps it open can have a socket of the host at the first name taken for its own, if it
 * knows that name before. Not thread-safe.
 */
final class OwnSockets {
    private static final int PATH = 7; // words before it

    private final Path list;
    private Set<String> paths; // null until one is asked for, which is rare

    OwnSockets(SharedNamespaces shared) {
        this(Path.of("/proc/" + shared.inside() + "/net/unix"));
    }

    OwnSockets(Path list) {
        this.list = list;
    }

    /** Returns whether a process of the sandbox has bound a socket to this absolute path. */
    boolean has(Path socket) {
        if (paths == null) {
            paths = read();
        }
        return paths.contains(socket.toString());
    }

    private Set<String> read() {
        Set<String> read = new HashSet<>();
        try {
            for (String line : Files.readAllLines(list)) {
                String[] words = line.strip().split(" +", PATH + 1);
                if (words.length > PATH) {
                    read.add(words[PATH]);
                }
            }
        } catch (IOException e) {
            return Set.of(); // none counts as its own
        }
        return read;
    }
}
