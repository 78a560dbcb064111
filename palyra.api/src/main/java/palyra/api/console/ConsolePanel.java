package palyra.api.console;

import org.osgi.annotation.versioning.ConsumerType;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * A page of the web console that a bundle contributes. Register it as a service and it appears in
 * the navigation of everyone who may perform {@link PanelSpec#action}.
 *
 * <p>A panel returns facts as {@link Block}s; the console renders them, so that no panel writes
 * markup and all look alike. The console authenticates the reader and authorises {@link
 * PanelSpec#action} before {@link #show}, and the action of a {@link Block.Form} before {@link
 * #submit}; both calls run on a thread of the request, may come at the same time, and shall answer
 * within two seconds. When two services carry one id, the higher {@code service.ranking} wins, then
 * the lower {@code service.id}.
 */
@ConsumerType
public interface ConsolePanel {
    /** Returns what the panel is; constant for the life of the service. */
    PanelSpec spec();

    /**
     * Returns the page for a request.
     *
     * @throws palyra.api.PalyraException shown to the reader as its sentence
     */
    PanelPage show(PanelRequest request);

    /**
     * Carries out a form of the panel. The default refuses every form.
     *
     * @throws palyra.api.PalyraException shown beside the form, whose fields keep what was typed
     */
    default PanelResult submit(PanelSubmission submission) {
        throw new PalyraException(
                ErrorCode.NOT_FOUND,
                "The panel '" + spec().id() + "' has no form '" + submission.form() + "'.");
    }
}
