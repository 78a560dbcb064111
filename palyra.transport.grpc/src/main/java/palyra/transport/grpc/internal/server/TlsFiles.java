package palyra.transport.grpc.internal.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.List;
import palyra.shared.files.FileStamp;

/** Reads the files of TLS. Refusals name the file and never show its content. */
final class TlsFiles {
    private static final long MAX_BYTES = 1 << 20;

    private final TlsSettings settings;

    TlsFiles(TlsSettings settings) {
        this.settings = settings;
    }

    /** Reads something of PEM. */
    private interface Reading<T> {
        T of(String text) throws GeneralSecurityException;
    }

    /**
     * Reads and checks everything.
     *
     * @throws palyra.api.PalyraException INVALID_ARGUMENT: one sentence for the operator
     */
    TlsMaterial read() {
        TlsMaterial material =
                new TlsMaterial(
                        read(settings.certificate(), "certificateFile", Pem::certificates),
                        read(settings.privateKey(), "privateKeyFile", Pem::privateKey),
                        settings.clientCa()
                                .map(file -> read(file, "clientCaFile", Pem::certificates))
                                .orElse(List.of()),
                        settings.clients());
        material.check(Instant.now(), settings);
        return material;
    }

    private static <T> T read(Path file, String key, Reading<T> reading) {
        try {
            TlsModes.require(file, key.equals("privateKeyFile"));
            TlsModes.requireOwn(file);
            if (Files.size(file) > MAX_BYTES) {
                throw new GeneralSecurityException("it has more than " + MAX_BYTES + " bytes");
            }
            return reading.of(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw TlsMaterial.refusal(key + " " + file + " cannot be read: " + reason(e));
        } catch (GeneralSecurityException e) {
            throw TlsMaterial.refusal(key + " " + file + " is not usable: " + e.getMessage());
        }
    }

    private static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such file";
        }
        return e instanceof java.nio.file.AccessDeniedException
                ? "the gateway's user may not read it"
                : String.valueOf(e.getMessage());
    }

    /** Returns sizes and times of the files; equal until one of them is written. */
    List<FileStamp> stamps() {
        return settings.files().stream().map(TlsFiles::stamp).toList();
    }

    private static FileStamp stamp(Path file) {
        try {
            return FileStamp.of(file);
        } catch (IOException e) {
            return FileStamp.GONE;
        }
    }
}
