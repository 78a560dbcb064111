package palyra.config.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;

/**
 * Whether a file is one that only an operator can have written: it lies in the folder itself, not
 * behind a link that leads out of it, and nobody else may write to it.
 */
final class FileTrust {
    private static final String ROOT = "root";

    private FileTrust() {}

    /** Returns what speaks against the file; empty when nothing does. */
    static Optional<String> objection(Path folder, Path file) throws IOException {
        Path home = folder.toRealPath();
        Path real = file.toRealPath();
        if (!real.startsWith(home)) {
            return Optional.of("it is a link that leads out of the folder");
        }
        if (!Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.of("it is not a regular file");
        }
        Optional<PosixFileAttributes> attributes = posix(real);
        return attributes.isEmpty() ? Optional.empty() : objection(posix(home), attributes.get());
    }

    private static Optional<String> objection(
            Optional<PosixFileAttributes> folder, PosixFileAttributes file) {
        if (file.permissions().contains(PosixFilePermission.OTHERS_WRITE)) {
            return Optional.of("every user of this machine may write to it");
        }
        String owner = file.owner().getName();
        boolean known =
                owner.equals(ROOT)
                        || folder.map(f -> f.owner().getName().equals(owner)).orElse(true);
        return known
                ? Optional.empty()
                : Optional.of(
                        "it belongs to " + owner + " and not to the owner of the folder or root");
    }

    private static Optional<PosixFileAttributes> posix(Path path) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(path, PosixFileAttributeView.class);
        return view == null ? Optional.empty() : Optional.of(view.readAttributes());
    }
}
