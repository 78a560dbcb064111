package palyra.sandbox.internal.workspace;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The folders that the gateway keeps for itself, which no workspace may share anything with. Seen
 * are: the same folder, one inside the other, by name, by links on the way, or by being the very
 * same folder of the file system (a bind mount); and links directly in one of the gateway's folders
 * that lead to the workspace. A link inside a workspace says nothing against it: any command can
 * make one, no sandbox follows it to the gateway's files, and the file tools leave no workspace.
 */
final class GatewayFolders {
    private static final int MAX_ENTRIES = 2_000;

    private final List<Path> folders;

    GatewayFolders(List<Path> folders) {
        this.folders = folders.stream().map(f -> f.toAbsolutePath().normalize()).toList();
    }

    /** Returns what speaks against a folder, whose real path is given. */
    Optional<String> objection(Path real) throws IOException {
        for (Path folder : folders) {
            Path gateway = realOf(folder);
            if (nested(real, folder) || nested(real, gateway)) {
                return Optional.of("it shares files with the gateway's own folder " + folder);
            }
            if (sameAbove(real, gateway) || sameAbove(gateway, real)) {
                return Optional.of("it is, by a mount, part of the gateway's own folder " + folder);
            }
            Optional<Path> link = linkBetween(gateway, real);
            if (link.isPresent()) {
                return Optional.of(
                        "the link " + link.get() + " joins it to the gateway's folder " + folder);
            }
        }
        return Optional.empty();
    }

    /** The real path; of what does not exist yet, by the folder above it that does. */
    private static Path realOf(Path folder) throws IOException {
        Path existing = folder;
        while (!Files.exists(existing, LinkOption.NOFOLLOW_LINKS) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        return Files.exists(existing)
                ? existing.toRealPath().resolve(existing.relativize(folder)).normalize()
                : folder;
    }

    private static boolean nested(Path one, Path other) {
        return one.startsWith(other) || other.startsWith(one);
    }

    /** Whether {@code inner} or a folder above it is the very folder {@code outer}. */
    private static boolean sameAbove(Path inner, Path outer) throws IOException {
        if (!Files.isDirectory(outer)) {
            return false;
        }
        for (Path at = inner; at != null; at = at.getParent()) {
            if (Files.exists(at) && Files.isSameFile(at, outer)) {
                return true;
            }
        }
        return false;
    }

    private static boolean leadsTo(Path link, Path to) throws IOException {
        return Files.exists(link) && link.toRealPath().startsWith(to);
    }

    /** Returns a link directly in {@code from} that leads to or into {@code to}. */
    private static Optional<Path> linkBetween(Path from, Path to) {
        if (!Files.isDirectory(from)) {
            return Optional.empty();
        }
        int left = MAX_ENTRIES;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(from)) {
            for (Path entry : entries) {
                if (left-- == 0) {
                    break;
                }
                if (Files.isSymbolicLink(entry) && leadsTo(entry, to)) {
                    return Optional.of(entry);
                }
            }
        } catch (IOException e) {
            return Optional.empty(); // not readable for us, so no way for a tool of ours either
        }
        return Optional.empty();
    }
}
