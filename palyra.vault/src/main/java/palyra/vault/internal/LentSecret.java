package palyra.vault.internal;

import java.util.Arrays;
import java.util.function.Function;
import palyra.api.core.vault.Secret;
import palyra.api.core.vault.SecretInfo;

/** A value that is overwritten when it is closed. For one thread. */
final class LentSecret implements Secret {
    private final SecretInfo info;
    private byte[] value;

    LentSecret(SecretInfo info, byte[] value) {
        this.info = info;
        this.value = value;
    }

    @Override
    public SecretInfo info() {
        return info;
    }

    @Override
    public <T> T use(Function<byte[], T> use) {
        if (value == null) {
            throw new IllegalStateException("the secret " + info.ref() + " was closed");
        }
        return use.apply(value);
    }

    @Override
    public void close() {
        if (value != null) {
            Arrays.fill(value, (byte) 0);
            value = null;
        }
    }

    @Override
    public String toString() {
        return "Secret[" + info.ref() + "]";
    }
}
