package palyra.api.core.policy;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;
import palyra.api.access.Permit;

/**
 * What operators do with policies. Thread-safe; changes happen one after the other. Nothing is half
 * done: a set that fails any check changes nothing, and the answer says where and why.
 *
 * <p>The operator's files are never written. A set that was brought into force by {@link #rollback}
 * or {@link #apply} stays until {@link #reload}, even if files are saved meanwhile; the status says
 * so.
 */
@ProviderType
public interface Policies {
    /** Returns the status of the policies; never throws. */
    PolicyStatus status();

    /**
     * Checks policies as a reload would, without any effect.
     *
     * @param folder folder with a whole set; empty for the operator's own
     */
    PolicyReport check(Optional<Path> folder);

    /**
     * Reads the operator's folder again and brings it into force.
     *
     * @param permit for {@code policy.reload}
     * @param confirmSha256 digest of the set whose loss of protection is confirmed, as the refusal
     *     named it; empty when nothing is lost
     */
    PolicyReport reload(Permit permit, String confirmSha256);

    /**
     * Brings the set of another folder into force; it is kept with the history.
     *
     * @param permit for {@code policy.apply}
     */
    PolicyReport apply(Permit permit, Path folder, String confirmSha256);

    /**
     * Brings an earlier set into force again, as it was checked then.
     *
     * @param permit for {@code policy.rollback}
     * @param sha256 digest or a unique beginning of it, at least six digits
     * @throws palyra.api.PalyraException NOT_FOUND, INVALID_ARGUMENT when several sets begin so
     */
    PolicyReport rollback(Permit permit, String sha256);

    /** Returns the sets that were in force, newest first. */
    List<PolicySetView> history(int limit);

    /**
     * Returns the texts of a set by file name.
     *
     * @param sha256 digest or a unique beginning of it; empty for the set in force
     * @throws palyra.api.PalyraException NOT_FOUND
     */
    List<PolicyText> texts(String sha256);

    /**
     * One file of a set.
     *
     * @param name file name
     * @param text its text
     */
    record PolicyText(String name, String text) {}
}
