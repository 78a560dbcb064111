package palyra.keys.internal;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.api.core.keys.Keys;
import palyra.api.core.keys.PublishedKey;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.ops.Ops;

/**
 * Offers the boot keys as a service. When they cannot be opened the component stays down and says
 * why: nothing that needs a key goes on without one.
 */
@Component(
        name = "palyra.keys",
        immediate = true,
        service = {Keys.class, MetricSource.class})
public final class KeysComponent implements Keys, MetricSource {
    private static final String CREDENTIALS_DIRECTORY = "CREDENTIALS_DIRECTORY";
    private static final String CREDENTIAL = "palyra-boot-keys";

    /** Secret that the key file in the state folder is sealed under. */
    private static final String WRAP = "palyra-boot-wrap";

    private final BootKeys keys;

    /** Opens the keys of this gateway's state. */
    @Activate
    public KeysComponent(BundleContext context) {
        String state = context.getProperty(Ops.STATE_FOLDER);
        if (state == null || state.isBlank()) {
            throw new PalyraException(
                    ErrorCode.KEYS_UNAVAILABLE,
                    "The framework property "
                            + Ops.STATE_FOLDER
                            + " names no state folder; start the gateway with palyra up.");
        }
        String directory = System.getenv(CREDENTIALS_DIRECTORY);
        keys = BootKeys.open(Path.of(state), credential(directory), credential(directory, WRAP));
    }

    /** Returns the credential's file when the service manager handed one in. */
    static Optional<Path> credential(String directory) {
        return credential(directory, CREDENTIAL);
    }

    private static Optional<Path> credential(String directory, String name) {
        return Optional.ofNullable(directory)
                .filter(text -> !text.isBlank())
                .map(text -> Path.of(text).resolve(name))
                .filter(Files::exists);
    }

    @Override
    public KeySignature sign(KeyPurpose purpose, byte[] message) {
        return keys.sign(purpose, message);
    }

    @Override
    public boolean verify(KeyPurpose purpose, byte[] message, KeySignature signature) {
        return keys.verify(purpose, message, signature);
    }

    @Override
    public byte[] mac(KeyPurpose purpose, byte[] message) {
        return keys.mac(purpose, message);
    }

    @Override
    public byte[] wrap(byte[] dataKey, byte[] context) {
        return keys.wrap(dataKey, context);
    }

    @Override
    public byte[] unwrap(byte[] wrapped, byte[] context) {
        return keys.unwrap(wrapped, context);
    }

    @Override
    public List<PublishedKey> published() {
        return keys.published();
    }

    @Override
    public PublishedKey rotate(KeyPurpose purpose) {
        return keys.rotate(purpose);
    }

    @Override
    public List<Metric> metrics() {
        return keys.metrics();
    }

    @Override
    public String toString() {
        return keys.toString();
    }
}
