package palyra.skills.internal.ledger;

import java.util.HexFormat;
import java.util.SortedMap;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.Keys;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;

/** Authenticates the index and the number of the ledger by the boot key store. Thread-safe. */
final class LedgerSeal {
    private static final String TAG = "palyra.skills.ledger.v1";
    private static final String HEAD_TAG = "palyra.skills.ledger.head.v1";

    private final Gate<Keys> keys;

    LedgerSeal(Gate<Keys> keys) {
        this.keys = keys;
    }

    /** Returns the code of an index: of its number and the digest of every row. */
    String index(long serial, SortedMap<String, String> digests) {
        Digests digest = Digests.tagged(TAG).u64(serial);
        digests.forEach((key, sha256) -> digest.lp(key).lp(sha256));
        return code(TAG, digest.bytes());
    }

    /** Returns the code of the number alone. */
    String head(long serial) {
        return code(HEAD_TAG, Digests.tagged(HEAD_TAG).u64(serial).bytes());
    }

    /** The purpose is shared with other users of the key store; the tag tells them apart. */
    private String code(String tag, byte[] digest) {
        byte[] message = Digests.tagged(tag).lp(digest).bytes();
        return HexFormat.of()
                .formatHex(keys.call(store -> store.mac(KeyPurpose.TOKEN_DIGEST, message)));
    }
}
