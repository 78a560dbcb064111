package palyra.skills.internal.offline;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.skills.internal.manifest.GatewayVersion;

/** The version of this program where no framework can be asked for it. */
final class OwnVersion {
    /** Written by the build; holds the version of the bundle. */
    private static final String RESOURCE = "/palyra/skills/version";

    private OwnVersion() {}

    /** Returns it. */
    static GatewayVersion read() {
        try (InputStream in = OwnVersion.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new PalyraException(
                        ErrorCode.INTERNAL,
                        "The program does not have its version; install it anew.");
            }
            return GatewayVersion.of(
                    new String(in.readNBytes(200), StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.INTERNAL, "The version of this program cannot be read.", e);
        }
    }
}
