package palyra.policy.internal.command;

import java.util.List;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import palyra.api.ErrorCode;
import palyra.api.command.Command;
import palyra.api.core.journal.Journal;
import palyra.lib.cedar.Cedar;
import palyra.policy.internal.decide.NativeEngineCheck;
import palyra.policy.internal.set.PolicyService;
import palyra.shared.gate.Gate;

/** Offers the commands. What they look into belongs to this bundle and goes when they go. */
@Component(
        service = {},
        immediate = true)
public final class PolicyCommandsComponent {
    /** How long a command waits for a service that is away: longer than a swap takes. */
    private static final long COMMAND_MILLIS = 10_000;

    private final Gate<Cedar> cedar =
            new Gate<>("The native Cedar engine", ErrorCode.POLICY_UNAVAILABLE, 0);
    private final Gate<Journal> journal =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, COMMAND_MILLIS);
    private final NativeEngineCheck check = NativeEngineCheck.ofCandidates(cedar);
    private final List<? extends ServiceRegistration<?>> registrations;

    /** Called by the component runtime. */
    @Activate
    public PolicyCommandsComponent(BundleContext context, @Reference PolicyService sets) {
        PolicyServices services = new PolicyServices(sets, check, cedar, journal);
        registrations =
                PolicyCommands.all(services).stream()
                        .map(
                                command ->
                                        context.registerService(
                                                Command.class,
                                                command,
                                                FrameworkUtil.asDictionary(Map.of())))
                        .toList();
    }

    @Deactivate
    void deactivate() {
        registrations.forEach(ServiceRegistration::unregister);
        check.close();
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindCedar(Cedar arrived, Map<String, Object> properties) {
        cedar.add(arrived, properties);
    }

    void unbindCedar(Cedar leaving) {
        cedar.remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindJournal(Journal arrived, Map<String, Object> properties) {
        journal.add(arrived, properties);
    }

    void unbindJournal(Journal leaving) {
        journal.remove(leaving);
    }
}
