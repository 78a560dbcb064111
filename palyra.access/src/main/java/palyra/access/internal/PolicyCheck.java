package palyra.access.internal;

import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.core.access.Access;

/** Readiness check: requests are decided, by a policy set in force or by the fixed rules. */
@Component(
        immediate = true,
        property = {HealthCheck.NAME + "=policy", HealthCheck.TAGS + "=ready"})
public final class PolicyCheck implements HealthCheck {
    private final AccessCore access;

    /** Takes the access control of this bundle. */
    @Activate
    public PolicyCheck(@Reference(target = "(component.name=palyra.access)") Access access) {
        this.access = (AccessCore) access;
    }

    @Override
    public Result execute() {
        return access.whyUndecided()
                .map(
                        why ->
                                new Result(
                                        Result.Status.CRITICAL,
                                        why + " Everything is denied: see palyra doctor."))
                .orElse(new Result(Result.Status.OK, "Requests are decided."));
    }
}
