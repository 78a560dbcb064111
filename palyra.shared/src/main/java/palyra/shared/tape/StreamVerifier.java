package palyra.shared.tape;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Seal;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.journal.VerificationReport.Fault;
import palyra.api.core.journal.VerificationReport.Kind;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.api.core.keys.PublishedKey;
import palyra.api.tape.TapeRecord;
import palyra.shared.sign.Ed25519Verifier;

/**
 * Verifies one stream, record after record, without the gateway: all it needs is the records, the
 * signed head and the published keys. Stops at the first fault; an illegal record is not a fault.
 * Not thread-safe.
 */
public final class StreamVerifier {
    private final String streamId;
    private long seq;
    private byte[] hash;
    private long records;
    private long withheld;
    private long seals;
    private final RunJudge judge;
    private final TapeHash.Checker checker = new TapeHash.Checker();
    private Fault fault;

    private StreamVerifier(String streamId, long seq, byte[] hash) {
        this.judge = new RunJudge(streamId, seq == 0);
        this.streamId = streamId;
        this.seq = seq;
        this.hash = hash;
    }

    /** Begins before the first record; {@code genesis} is what its {@code prevHash} must be. */
    public static StreamVerifier from(String streamId, byte[] genesis) {
        return new StreamVerifier(streamId, 0, genesis);
    }

    /** Begins after a record that is known. */
    public static StreamVerifier after(TapeRecord known) {
        return new StreamVerifier(known.streamId(), known.seq(), known.hash());
    }

    /** Begins after a record of which place and hash are known. */
    public static StreamVerifier after(String streamId, long seq, byte[] hash) {
        return new StreamVerifier(streamId, seq, hash);
    }

    /** Begins after the record that another verifier accepted last. */
    public static StreamVerifier after(StreamVerifier other) {
        return new StreamVerifier(other.streamId, other.seq, other.hash);
    }

    /** Verifies signatures of published keys. Thread-safe. */
    @FunctionalInterface
    public interface SignatureCheck {
        /** Returns whether the key of that id signed the statement. */
        boolean verifies(byte[] statement, KeySignature signature);
    }

    /** Keys that may have signed heads. Thread-safe. */
    public static final class HeadKeys {
        private final Set<String> ids = new HashSet<>();
        private final SignatureCheck check;

        /**
         * Takes the keys whose purpose is to sign heads, and no others, and verifies with the JDK
         * alone; INVALID_ARGUMENT when one of them is no Ed25519 key.
         */
        public HeadKeys(List<PublishedKey> published) {
            Map<String, Ed25519Verifier> verifiers = new HashMap<>();
            heads(published).forEach(key -> verifiers.put(key.keyId(), decode(key)));
            ids.addAll(verifiers.keySet());
            check = (statement, by) -> verifiers.get(by.keyId()).verify(statement, by.signature());
        }

        /** Takes the same keys, and another check of signatures. */
        public HeadKeys(List<PublishedKey> published, SignatureCheck check) {
            heads(published).forEach(key -> ids.add(key.keyId()));
            this.check = check;
        }

        private static Stream<PublishedKey> heads(List<PublishedKey> published) {
            return published.stream().filter(key -> key.purpose() == KeyPurpose.TAPE_HEAD);
        }

        private static Ed25519Verifier decode(PublishedKey key) {
            try {
                return Ed25519Verifier.of(Base64.getUrlDecoder().decode(key.publicKey()));
            } catch (GeneralSecurityException | IllegalArgumentException e) {
                throw new PalyraException(
                        ErrorCode.INVALID_ARGUMENT,
                        "Published key " + key.keyId() + " is not an Ed25519 public key.",
                        e);
            }
        }

        private boolean known(String keyId) {
            return ids.contains(keyId);
        }

        /** Returns whether one of these keys signed the statement. */
        public boolean signed(byte[] statement, KeySignature by) {
            return known(by.keyId()) && check.verifies(statement, by);
        }

        /** Returns whether one of these keys signed the seal. */
        public boolean signed(Seal seal) {
            return signed(
                    TapeHash.headStatement(seal.runId(), seal.seq(), seal.hash()),
                    new KeySignature(seal.keyId(), seal.signature()));
        }
    }

    /** Looks at the next record; returns false once there is a fault. */
    public boolean accept(TapeRecord record) {
        if (fault != null) {
            return false;
        }
        TapeHash.Fault wrong = checker.check(record, streamId, seq + 1, hash);
        if (wrong != null) {
            fault = describe(wrong, record);
            return false;
        }
        seq = record.seq();
        hash = record.hash();
        records++;
        if (record.payload() == null) {
            withheld++;
        }
        judge.accept(record);
        return true;
    }

    private Fault describe(TapeHash.Fault wrong, TapeRecord record) {
        long expected = seq + 1;
        return switch (wrong) {
            case SEQUENCE ->
                    new Fault(
                            streamId,
                            expected,
                            Kind.SEQUENCE,
                            "expected record "
                                    + expected
                                    + ", found record "
                                    + record.seq()
                                    + " of "
                                    + record.streamId());
            case LINK ->
                    new Fault(
                            streamId, expected, Kind.LINK, "does not follow the record before it");
            case HASH ->
                    new Fault(
                            streamId,
                            expected,
                            Kind.HASH,
                            "type, time, schema, commitment or hash was changed");
            case PAYLOAD ->
                    new Fault(
                            streamId,
                            expected,
                            Kind.PAYLOAD,
                            "payload or salt does not agree with the commitment");
        };
    }

    /** The next record is there but cannot be read. */
    public void unreadable(String detail) {
        if (fault == null) {
            fault = new Fault(streamId, seq + 1, Kind.UNREADABLE, detail);
        }
    }

    /** The next record is not there although others follow, or should. */
    public void missing() {
        if (fault == null) {
            fault = new Fault(streamId, seq + 1, Kind.SEQUENCE, "the record is missing");
        }
    }

    /** There are records after the last one that was looked at, which was to be the last. */
    public void surplus() {
        if (fault == null) {
            fault = new Fault(streamId, seq + 1, Kind.HEAD, "a record follows after the last one");
        }
    }

    /** The store does not remember where the stream ends. */
    public void headLost() {
        if (fault == null) {
            fault =
                    new Fault(
                            streamId,
                            0,
                            Kind.HEAD,
                            "the row that says where the tape ends (table heads) is lost; see"
                                    + " palyra doctor");
        }
    }

    /** The last record must be this one, as the store remembers it. */
    public void expectHead(long headSeq, byte[] headHash) {
        if (fault == null && (seq != headSeq || !Arrays.equals(hash, headHash))) {
            fault = headFault("the store remembers record " + headSeq + " as the last", headSeq);
        }
    }

    /** The last record must be the one that was signed, by one of the keys. */
    public void expectSeal(Seal seal, HeadKeys keys) {
        if (!isOfHead(seal)) {
            return;
        }
        if (!keys.known(seal.keyId())) {
            fault = new Fault(streamId, 0, Kind.SIGNATURE, "no published key " + seal.keyId());
        } else if (!keys.signed(seal)) {
            fault = new Fault(streamId, 0, Kind.SIGNATURE, "the signature of the head is wrong");
        } else {
            seals++;
        }
    }

    /**
     * The last record must be the one that was signed, by a seal whose signature needs no look: a
     * verified checkpoint covers it.
     */
    public void expectCovered(Seal seal) {
        if (isOfHead(seal)) {
            seals++;
        }
    }

    /** Returns false, with a fault, when another record was signed as the last. */
    private boolean isOfHead(Seal seal) {
        if (fault == null
                && (!seal.runId().equals(streamId)
                        || seal.seq() != seq
                        || !Arrays.equals(seal.hash(), hash))) {
            fault = headFault("record " + seal.seq() + " was signed as the last", seal.seq());
        }
        return fault == null;
    }

    /** The run has ended, yet there is no signed head. */
    public void unsealed() {
        if (fault == null) {
            fault = new Fault(streamId, 0, Kind.UNSEALED, "the run has ended but is not sealed");
        }
    }

    private Fault headFault(String remembered, long headSeq) {
        String found = seq == headSeq ? ", with another hash" : ", the tape ends at " + seq;
        return new Fault(streamId, Math.min(seq + 1, headSeq), Kind.HEAD, remembered + found);
    }

    /** Returns the first fault so far. */
    public Optional<Fault> fault() {
        return Optional.ofNullable(fault);
    }

    /** Returns the sequence number of the last record that was accepted. */
    public long seq() {
        return seq;
    }

    /** Returns how many records were accepted. */
    public long records() {
        return records;
    }

    /** Returns what was found so far; {@code complete} says whether all was looked at. */
    public VerificationReport report(boolean complete) {
        return new VerificationReport(
                1, records, withheld, seals, complete, fault(), judge.judgement());
    }

    /**
     * Verifies a whole stream that is in memory, such as an export.
     *
     * @param genesis what the first record follows, see {@link TapeHash#genesis}
     * @param ended whether the run has ended, so that it must be sealed
     * @param seal the signed head, if there is one; it is checked whether or not the run has ended
     */
    public static VerificationReport verify(
            String streamId,
            byte[] genesis,
            Iterable<TapeRecord> tape,
            boolean ended,
            Optional<Seal> seal,
            List<PublishedKey> published) {
        StreamVerifier verifier = from(streamId, genesis);
        for (TapeRecord record : tape) {
            if (!verifier.accept(record)) {
                return verifier.report(true);
            }
        }
        if (seal.isPresent()) {
            verifier.expectSeal(seal.get(), new HeadKeys(published));
        } else if (ended) {
            verifier.unsealed();
        }
        return verifier.report(true);
    }
}
