package palyra.shared.tape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;
import palyra.api.core.journal.Seal;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.journal.VerificationReport.Kind;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.PublishedKey;
import palyra.api.tape.TapeRecord;

class StreamVerifierTest {
    private static final String RUN = "01HZY5T0000000000000000001";
    private static final byte[] GENESIS = TapeHash.genesis(RUN, "session", "user:alice");
    private static final int LONG = 10_000;

    private static KeyPair key;
    private static List<TapeRecord> tape;

    @BeforeAll
    static void make() throws GeneralSecurityException {
        key = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        tape = tape(LONG, new Random(7));
    }

    private static List<TapeRecord> tape(int records, Random random) {
        List<TapeRecord> made = new ArrayList<>(records);
        byte[] prev = GENESIS;
        for (int seq = 1; seq <= records; seq++) {
            byte[] salt = new byte[TapeHash.LENGTH];
            random.nextBytes(salt);
            byte[] payload =
                    ("{\"text\":\"" + seq + " " + random.nextLong() + "\"}")
                            .getBytes(StandardCharsets.UTF_8);
            byte[] commitment = TapeHash.commitment(salt, payload);
            long time = 1_700_000_000_000L + seq;
            byte[] hash = TapeHash.hash(prev, RUN, seq, "model_token", time, 1, commitment);
            made.add(
                    new TapeRecord(
                            RUN,
                            seq,
                            "model_token",
                            time,
                            1,
                            salt,
                            payload,
                            commitment,
                            prev,
                            hash));
            prev = hash;
        }
        return made;
    }

    private static Seal seal(List<TapeRecord> of) {
        TapeRecord last = of.getLast();
        try {
            Signature signer = Signature.getInstance("Ed25519");
            signer.initSign(key.getPrivate());
            signer.update(TapeHash.headStatement(RUN, last.seq(), last.hash()));
            return new Seal(RUN, last.seq(), last.hash(), "ed25519:test", signer.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static PublishedKey published(KeyPurpose purpose) {
        byte[] encoded = key.getPublic().getEncoded();
        byte[] raw = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
        String text = Base64.getUrlEncoder().withoutPadding().encodeToString(raw);
        return new PublishedKey("ed25519:test", purpose, text, 1, 0, "", "");
    }

    private static VerificationReport verify(List<TapeRecord> records, Optional<Seal> seal) {
        return StreamVerifier.verify(
                RUN, GENESIS, records, true, seal, List.of(published(KeyPurpose.TAPE_HEAD)));
    }

    @Test
    void wholeTapeWithItsSealVerifies() {
        VerificationReport report = verify(tape, Optional.of(seal(tape)));
        assertTrue(report.intact(), report::toString);
        assertEquals(LONG, report.records());
        assertEquals(1, report.seals());
    }

    /**
     * What comes before a change is verified once: the verifier goes on from there, as it would
     * have after accepting those records again.
     */
    @Test
    void tenThousandSeededChangesOfALongTapeAreFound() {
        List<StreamVerifier> before = verifiersAt();
        Random random = new Random(20_261_122);
        for (int i = 0; i < 10_000; i++) {
            int at = random.nextInt(LONG);
            List<TapeRecord> changed = change(at, random);
            StreamVerifier verifier = StreamVerifier.after(before.get(at));
            boolean accepted = true;
            for (int k = 0; accepted && k < changed.size(); k++) {
                accepted = verifier.accept(changed.get(k));
            }
            if (accepted) {
                verifier.expectSeal(seal(tape), keys());
            }
            int change = i;
            assertTrue(verifier.fault().isPresent(), () -> "change " + change + " at " + at);
            long named = verifier.fault().get().seq();
            assertTrue(named >= at + 1 && named <= at + 2, () -> "named " + named + " for " + at);
        }
    }

    private static StreamVerifier.HeadKeys keys() {
        return new StreamVerifier.HeadKeys(List.of(published(KeyPurpose.TAPE_HEAD)));
    }

    /** Element n stands before record n + 1. */
    private static List<StreamVerifier> verifiersAt() {
        List<StreamVerifier> all = new ArrayList<>();
        StreamVerifier running = StreamVerifier.from(RUN, GENESIS);
        all.add(StreamVerifier.after(running));
        for (TapeRecord record : tape) {
            assertTrue(running.accept(record));
            all.add(StreamVerifier.after(running));
        }
        return all;
    }

    /** Returns the records from place {@code at} on, changed there; a few are enough. */
    private static List<TapeRecord> change(int at, Random random) {
        List<TapeRecord> rest = new ArrayList<>(tape.subList(at, Math.min(LONG, at + 3)));
        switch (random.nextInt(4)) {
            case 0 -> rest.removeFirst();
            case 1 -> rest.add(0, tape.get((at + 1 + random.nextInt(LONG - 1)) % LONG));
            case 2 -> {
                TapeRecord first = rest.removeFirst();
                rest.add(Math.min(1, rest.size()), first);
                if (rest.size() == 1) {
                    rest.set(0, flip(first, random)); // the last one has nothing to swap with
                }
            }
            default -> rest.set(0, flip(rest.getFirst(), random));
        }
        return rest;
    }

    private static TapeRecord flip(TapeRecord r, Random random) {
        int what = random.nextInt(8);
        return new TapeRecord(
                r.streamId(),
                what == 0 ? r.seq() ^ (1L << random.nextInt(62)) : r.seq(),
                what == 1 ? flipped(r.type(), random) : r.type(),
                what == 2 ? r.timeMillis() ^ (1L << random.nextInt(63)) : r.timeMillis(),
                what == 3 ? r.schema() ^ (1 << random.nextInt(31)) : r.schema(),
                what == 4 ? flipped(r.salt(), random) : r.salt(),
                what == 5 ? flipped(r.payload(), random) : r.payload(),
                what == 6 ? flipped(r.commitment(), random) : r.commitment(),
                r.prevHash(),
                what == 7 ? flipped(r.hash(), random) : r.hash());
    }

    private static byte[] flipped(byte[] bytes, Random random) {
        byte[] copy = bytes.clone();
        copy[random.nextInt(copy.length)] ^= (byte) (1 << random.nextInt(8));
        return copy;
    }

    private static String flipped(String text, Random random) {
        char[] copy = text.toCharArray();
        copy[random.nextInt(copy.length)] ^= (char) (1 << random.nextInt(5));
        return new String(copy);
    }

    @Test
    void shortenedTapeIsFoundByItsSeal() {
        VerificationReport report = verify(tape.subList(0, 100), Optional.of(seal(tape)));
        assertEquals(Kind.HEAD, report.fault().orElseThrow().kind());
        assertEquals(101, report.fault().get().seq());
    }

    @Test
    void rewrittenTapeIsFoundByItsSeal() {
        List<TapeRecord> rewritten = tape(100, new Random(8));
        VerificationReport report = verify(rewritten, Optional.of(seal(tape.subList(0, 100))));
        assertEquals(Kind.HEAD, report.fault().orElseThrow().kind());
        assertEquals(100, report.fault().get().seq());
    }

    @Test
    void endedRunWithoutASealIsAFault() {
        VerificationReport report = verify(tape.subList(0, 3), Optional.empty());
        assertEquals(Kind.UNSEALED, report.fault().orElseThrow().kind());
        assertEquals(0, report.fault().get().seq());
        assertTrue(
                StreamVerifier.verify(
                                RUN,
                                GENESIS,
                                tape.subList(0, 3),
                                false,
                                Optional.empty(),
                                List.of())
                        .intact());
    }

    @Test
    void sealByAnUnknownKeyOrForAnotherPurposeIsAFault() {
        List<TapeRecord> few = tape.subList(0, 3);
        for (List<PublishedKey> keys :
                List.of(List.<PublishedKey>of(), List.of(published(KeyPurpose.ATTESTATION)))) {
            VerificationReport report =
                    StreamVerifier.verify(RUN, GENESIS, few, true, Optional.of(seal(few)), keys);
            assertEquals(Kind.SIGNATURE, report.fault().orElseThrow().kind());
        }
    }

    @Test
    void everyFlippedByteOfTheSignatureIsFound() {
        List<TapeRecord> few = tape.subList(0, 3);
        Seal good = seal(few);
        for (int i = 0; i < good.signature().length; i++) {
            byte[] signature = good.signature().clone();
            signature[i] ^= 1;
            Seal bad = new Seal(RUN, good.seq(), good.hash(), good.keyId(), signature);
            VerificationReport report = verify(few, Optional.of(bad));
            assertEquals(Kind.SIGNATURE, report.fault().orElseThrow().kind());
        }
    }

    @Test
    void sealOfAnotherRunIsAFault() {
        List<TapeRecord> few = tape.subList(0, 3);
        Seal good = seal(few);
        Seal foreign = new Seal("other", good.seq(), good.hash(), good.keyId(), good.signature());
        assertEquals(Kind.HEAD, verify(few, Optional.of(foreign)).fault().orElseThrow().kind());
    }

    @Test
    void tapeOfAnotherRunIsAFaultAtItsFirstRecord() {
        byte[] genesis = TapeHash.genesis(RUN, "session", "user:mallory");
        VerificationReport report =
                StreamVerifier.verify(RUN, genesis, tape, false, Optional.empty(), List.of());
        assertEquals(Kind.LINK, report.fault().orElseThrow().kind());
        assertEquals(1, report.fault().get().seq());
        assertEquals(0, report.records());
    }

    @Test
    void erasedPayloadIsWithheldAndHalfErasedOneAFault() {
        TapeRecord r = tape.get(1);
        List<TapeRecord> records = new ArrayList<>(tape.subList(0, 3));
        records.set(1, with(r, null, null));
        VerificationReport report =
                StreamVerifier.verify(RUN, GENESIS, records, false, Optional.empty(), List.of());
        assertTrue(report.intact());
        assertEquals(1, report.withheld());
        records.set(1, with(r, r.salt(), null));
        assertFalse(intact(records));
        records.set(1, with(r, null, r.payload()));
        assertFalse(intact(records));
    }

    private static boolean intact(List<TapeRecord> records) {
        return StreamVerifier.verify(RUN, GENESIS, records, false, Optional.empty(), List.of())
                .intact();
    }

    private static TapeRecord with(TapeRecord r, byte[] salt, byte[] payload) {
        return new TapeRecord(
                r.streamId(),
                r.seq(),
                r.type(),
                r.timeMillis(),
                r.schema(),
                salt,
                payload,
                r.commitment(),
                r.prevHash(),
                r.hash());
    }

    @Test
    void publishedKeyThatIsNoneIsRefused() {
        PublishedKey nonsense =
                new PublishedKey("ed25519:x", KeyPurpose.TAPE_HEAD, "AAAA", 1, 0, "", "");
        assertThrows(PalyraException.class, () -> new StreamVerifier.HeadKeys(List.of(nonsense)));
    }
}
