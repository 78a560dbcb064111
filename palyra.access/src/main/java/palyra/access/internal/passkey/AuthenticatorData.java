package palyra.access.internal.passkey;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What an authenticator says about itself (WebAuthn, section 6.1).
 *
 * @param flags as sent
 * @param counter how often it signed; 0 when it does not count
 * @param credentialId empty unless a credential was made
 * @param publicKey COSE bytes; empty unless a credential was made
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as sent, never compared as records
record AuthenticatorData(
        byte[] hostDigest, int flags, long counter, byte[] credentialId, byte[] publicKey) {
    private static final int DIGEST_BYTES = 32;
    private static final int HEAD_BYTES = DIGEST_BYTES + 1 + 4;
    private static final int MODEL_BYTES = 16;
    private static final int MOST_ID_BYTES = 1_023;
    private static final int PRESENT = 0x01;
    private static final int VERIFIED = 0x04;
    private static final int BACKUP_ELIGIBLE = 0x08;
    private static final int BACKED_UP = 0x10;
    private static final int HAS_CREDENTIAL = 0x40;
    private static final int HAS_EXTENSIONS = 0x80;

    static AuthenticatorData of(byte[] bytes) {
        if (bytes.length < HEAD_BYTES) {
            throw new PasskeyException("the authenticator data ends early");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte[] host = new byte[DIGEST_BYTES];
        in.get(host);
        int flags = in.get() & 0xff;
        long counter = in.getInt() & 0xffff_ffffL;
        byte[] id = new byte[0];
        byte[] key = new byte[0];
        if ((flags & HAS_CREDENTIAL) != 0) {
            id = credentialId(in);
            key = value(in);
        }
        if ((flags & HAS_EXTENSIONS) != 0) {
            value(in);
        }
        if (in.hasRemaining()) {
            throw new PasskeyException("bytes follow the authenticator data");
        }
        return new AuthenticatorData(host, flags, counter, id, key);
    }

    private static byte[] credentialId(ByteBuffer in) {
        if (in.remaining() < MODEL_BYTES + 2) {
            throw new PasskeyException("the credential ends early");
        }
        in.position(in.position() + MODEL_BYTES);
        int length = in.getShort() & 0xffff;
        if (length == 0 || length > MOST_ID_BYTES || length > in.remaining()) {
            throw new PasskeyException("the credential id has a length of " + length);
        }
        byte[] id = new byte[length];
        in.get(id);
        return id;
    }

    /** Returns the bytes of the CBOR value that comes next. */
    private static byte[] value(ByteBuffer in) {
        byte[] rest = new byte[in.remaining()];
        in.slice().get(rest);
        CborReader reader = new CborReader(rest);
        reader.readMap();
        in.position(in.position() + reader.position());
        return Arrays.copyOf(rest, reader.position());
    }

    /** Refuses unless the person was there and the authenticator verified who it is. */
    void requirePerson() {
        if ((flags & PRESENT) == 0 || (flags & VERIFIED) == 0) {
            throw new PasskeyException("the authenticator did not verify the person");
        }
        if ((flags & BACKED_UP) != 0 && (flags & BACKUP_ELIGIBLE) == 0) {
            throw new PasskeyException("the credential is backed up and cannot be");
        }
    }

    boolean hasCredential() {
        return (flags & HAS_CREDENTIAL) != 0;
    }
}
