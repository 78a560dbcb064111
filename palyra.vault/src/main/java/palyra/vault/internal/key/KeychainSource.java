package palyra.vault.internal.key;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.vault.internal.crypto.Aead;

/** A random key that the key chain of the system keeps, as hexadecimal digits. */
final class KeychainSource implements MasterKeySource {
    private static final String CURRENT = "master-key";
    private static final String NEXT = "master-key-next";
    private static final String DIGITS = "0123456789abcdef";

    private final Keychain chain;
    private final Aead aead;

    KeychainSource(Keychain chain, Aead aead) {
        this.chain = chain;
        this.aead = aead;
    }

    @Override
    public String name() {
        return "keychain";
    }

    @Override
    public String place() {
        return chain.place();
    }

    @Override
    public boolean guessable() {
        return false;
    }

    @Override
    public List<byte[]> materials() throws IOException {
        List<byte[]> all = new ArrayList<>();
        for (String account : List.of(CURRENT, NEXT)) {
            chain.find(account).ifPresent(text -> all.add(read(text)));
        }
        return all;
    }

    private byte[] read(byte[] hex) {
        byte[] key = new byte[Aead.KEY_BYTES];
        boolean formed = hex.length == 2 * key.length;
        for (int i = 0; formed && i < key.length; i++) {
            int high = DIGITS.indexOf(hex[2 * i]);
            int low = DIGITS.indexOf(hex[2 * i + 1]);
            formed = high >= 0 && low >= 0;
            key[i] = (byte) (high << 4 | low);
        }
        Arrays.fill(hex, (byte) 0);
        if (!formed) {
            throw new PalyraException(
                    ErrorCode.KEYS_UNAVAILABLE,
                    "What " + place() + " holds is no key of a vault; restore it.");
        }
        return key;
    }

    private static byte[] hex(byte[] key) {
        byte[] hex = new byte[2 * key.length];
        for (int i = 0; i < key.length; i++) {
            hex[2 * i] = (byte) DIGITS.charAt(key[i] >> 4 & 15);
            hex[2 * i + 1] = (byte) DIGITS.charAt(key[i] & 15);
        }
        return hex;
    }

    private void store(String account, byte[] key) throws IOException {
        byte[] hex = hex(key);
        try {
            chain.store(account, hex);
        } finally {
            Arrays.fill(hex, (byte) 0);
        }
    }

    @Override
    public byte[] make() throws IOException {
        List<byte[]> there = materials();
        if (!there.isEmpty()) {
            return there.get(0);
        }
        byte[] made = aead.randomBytes(Aead.KEY_BYTES);
        store(CURRENT, made);
        return made;
    }

    @Override
    public byte[] renew(byte[] inUse) throws IOException {
        byte[] made = aead.randomBytes(Aead.KEY_BYTES);
        store(NEXT, made);
        return made;
    }

    @Override
    public void settle(byte[] inUse) throws IOException {
        store(CURRENT, inUse);
        chain.forget(NEXT);
    }
}
