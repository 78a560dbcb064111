package palyra.skills.internal.store;

import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.skills.internal.ledger.LedgerEdit;
import palyra.skills.internal.trust.KeyRotation;

/** Changes trust, and has active skills checked again. Thread-safe. */
public final class TrustService {
    /** Action of every change of trust. */
    public static final String ACTION = "skill.trust";

    private static final String PUBLISHER_FORM = "[a-z0-9][a-z0-9._:-]{0,99}";
    private static final String KEY_FORM = "[0-9a-f]{64}";

    private final AuthorizedChanges changes;
    private final Runnable recheck;
    private final LongSupplier clock;

    /**
     * @param recheck looks at everything that is active
     */
    public TrustService(AuthorizedChanges changes, Runnable recheck, LongSupplier clock) {
        this.changes = changes;
        this.recheck = recheck;
        this.clock = clock;
    }

    private void change(Principal principal, String what, Function<TrustEdits, LedgerEdit> edit) {
        changes.make(
                List.of(
                        new AuthorizedChanges.Question(
                                principal, ACTION, what, what.indexOf(':') < 0 ? what : "")),
                now -> edit.apply(new TrustEdits(now, principal.id(), clock.getAsLong())));
        recheck.run();
    }

    private static void requirePublisher(String publisher) {
        Require.that(
                publisher.matches(PUBLISHER_FORM),
                "'" + publisher + "' is not the name of a publisher");
    }

    private static void requireKey(String key) {
        Require.that(
                key.matches(KEY_FORM),
                "'" + key + "' is not a key: give the 32 bytes as 64 digits of lower-case hex");
    }

    /** Allows a key for a publisher; from then on only allowed keys count for it. */
    public void allow(Principal principal, String publisher, String key) {
        requirePublisher(publisher);
        requireKey(key);
        change(principal, publisher, edits -> edits.allow(publisher, key));
    }

    /** Pins a publisher to a key before its first skill comes. */
    public void pin(Principal principal, String publisher, String key) {
        requirePublisher(publisher);
        requireKey(key);
        change(principal, publisher, edits -> edits.pin(publisher, key));
    }

    /** Removes the allowed keys and the pin of a publisher; its skills go into quarantine. */
    public void unpin(Principal principal, String publisher) {
        requirePublisher(publisher);
        change(principal, publisher, edits -> edits.unpin(publisher));
    }

    /** Applies a rotation: the old key still carries installed versions and installs no others. */
    public void rotate(Principal principal, KeyRotation rotation) {
        requirePublisher(rotation.publisher());
        change(principal, rotation.publisher(), edits -> edits.rotate(rotation));
    }

    /**
     * Revokes a key, an artifact or a version: {@code key:HEX}, {@code artifact:SHA256}, {@code
     * version:ID[@x.y.z]}.
     */
    public void revoke(Principal principal, String what, String reason) {
        requireRevocable(what);
        Require.text(reason, "reason");
        change(principal, what, edits -> edits.revoke(what, reason));
    }

    private static void requireRevocable(String what) {
        Require.that(
                what.matches("(key|artifact):" + KEY_FORM)
                        || what.matches("version:" + PUBLISHER_FORM + "(@[0-9.]{5,30})?"),
                "'"
                        + what
                        + "' cannot be revoked; write key:HEX, artifact:SHA256 or"
                        + " version:ID[@x.y.z]");
    }

    /** Removes a revocation; skills that it put into quarantine stay there. */
    public void unrevoke(Principal principal, String what) {
        requireRevocable(what);
        change(principal, what, edits -> edits.unrevoke(what));
    }

    /** Marks an installed skill as trusted, for engines and policies that ask for it, or not. */
    public void mark(Principal principal, String skill, boolean trusted, String engine) {
        changes.inventory().resolve(skill);
        change(principal, skill, edits -> edits.mark(skill, trusted, engine));
    }

    /** Throws away everything that is recorded about skills and trust. */
    public void reset(Principal principal, String reason) {
        Require.text(reason, "reason");
        changes.reset(
                new AuthorizedChanges.Question(principal, ACTION, "", ""),
                TrustEdits.reset(principal.id(), reason));
    }
}
