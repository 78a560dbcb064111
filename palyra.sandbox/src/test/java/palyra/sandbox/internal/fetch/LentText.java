package palyra.sandbox.internal.fetch;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Function;
import palyra.api.core.vault.Secret;
import palyra.api.core.vault.SecretInfo;
import palyra.api.core.vault.SecretRef;

/** A secret of a test. */
final class LentText implements Secret {
    private final byte[] value;

    LentText(String text) {
        value = text.getBytes(StandardCharsets.UTF_8);
    }

    byte[] value() {
        return value;
    }

    @Override
    public SecretInfo info() {
        return new SecretInfo(new SecretRef("global", "key"), 1, value.length, 0, 0, "", 1);
    }

    @Override
    public <T> T use(Function<byte[], T> use) {
        return use.apply(value);
    }

    @Override
    public void close() {
        Arrays.fill(value, (byte) 0);
    }
}
