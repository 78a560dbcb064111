package palyra.shell.internal.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

class SocketFileTest {
    @TempDir Path folder;

    @Test
    void theSocketIsPrivateAndTheOnlyFileOfItsFolder() throws Exception {
        Path path = folder.resolve("run/command.sock");
        try (ServerSocketChannel ignored = SocketFile.listen(path)) {
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
            assertEquals(List.of(path), entries(path.getParent()));
        }
    }

    @Test
    void whatAGatewayLeftThatWasKilledIsReplaced() throws Exception {
        Path path = folder.resolve("run/command.sock");
        SocketFile.listen(path).close();
        Path aside = Files.createDirectories(path.resolveSibling(".new"));
        Files.createFile(aside.resolve("s"));
        try (ServerSocketChannel ignored = SocketFile.listen(path)) {
            assertEquals(List.of(path), entries(path.getParent()));
            assertEquals(
                    ErrorCode.CONFLICT,
                    assertThrows(PalyraException.class, () -> SocketFile.listen(path)).code());
        }
    }

    private static List<Path> entries(Path of) throws Exception {
        try (Stream<Path> files = Files.list(of)) {
            return files.toList();
        }
    }
}
