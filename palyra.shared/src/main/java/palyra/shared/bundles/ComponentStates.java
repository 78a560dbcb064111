package palyra.shared.bundles;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.component.runtime.dto.ComponentConfigurationDTO;
import org.osgi.service.component.runtime.dto.ComponentDescriptionDTO;

/** The components at one moment, by bundle and name, and their worst state each. */
final class ComponentStates {
    /** State of a component. */
    enum State {
        /** It works, or would on request. */
        GOOD,
        /** The component runtime has not looked at it yet. */
        COMING,
        /** It waits for a service. */
        WAITING,
        /** It waits for a configuration, which is its way of being off. */
        OFF,
        /** It failed to activate. */
        FAILED
    }

    /** Names a component over updates of its bundle. */
    record Key(long bundleId, String bundle, String name) {
        String text() {
            return name + " of " + bundle;
        }
    }

    private final Map<Key, State> states = new HashMap<>();
    private final Map<Key, ComponentUses> uses = new HashMap<>();
    private final Map<Key, String> reasons = new HashMap<>(); // of those that failed

    static ComponentStates read(ServiceComponentRuntime runtime) {
        ComponentStates all = new ComponentStates();
        for (ComponentDescriptionDTO description : runtime.getComponentDescriptionDTOs()) {
            Key key =
                    new Key(
                            description.bundle.id,
                            description.bundle.symbolicName,
                            description.name);
            Collection<ComponentConfigurationDTO> configurations =
                    runtime.getComponentConfigurationDTOs(description);
            all.states.put(key, state(runtime, description, configurations));
            all.uses.put(key, ComponentUses.of(description, configurations));
            configurations.stream()
                    .filter(each -> of(each.state) == State.FAILED)
                    .findFirst()
                    .ifPresent(each -> all.reasons.put(key, ComponentFailures.reason(each)));
        }
        return all;
    }

    private static State state(
            ServiceComponentRuntime runtime,
            ComponentDescriptionDTO description,
            Collection<ComponentConfigurationDTO> configurations) {
        if (configurations.isEmpty()) {
            // Enabled, and needing no configuration of its own, it is only not looked at yet.
            boolean coming =
                    !description.configurationPolicy.equals("require")
                            && runtime.isComponentEnabled(description);
            return coming ? State.COMING : State.OFF;
        }
        State worst = State.OFF;
        for (ComponentConfigurationDTO each : configurations) {
            worst = worse(worst, of(each.state));
        }
        return worst;
    }

    private static State of(int state) {
        return switch (state) {
            case ComponentConfigurationDTO.ACTIVE, ComponentConfigurationDTO.SATISFIED ->
                    State.GOOD;
            case ComponentConfigurationDTO.UNSATISFIED_REFERENCE -> State.WAITING;
            case ComponentConfigurationDTO.UNSATISFIED_CONFIGURATION -> State.OFF;
            default -> State.FAILED;
        };
    }

    private static State worse(State a, State b) {
        if (a == State.OFF || b == State.FAILED) {
            return b;
        }
        return b == State.WAITING && a == State.GOOD ? b : a;
    }

    /** Returns the components that work. */
    Set<Key> good() {
        Set<Key> good = new HashSet<>();
        states.forEach(
                (key, state) -> {
                    if (state == State.GOOD) {
                        good.add(key);
                    }
                });
        return good;
    }

    /**
     * Returns what got worse since {@code before}: components that worked and do not any more, and
     * components of {@code targetId} that are new and do not work. A component that {@code
     * targetId} no longer has is no loss.
     *
     * @param newMayWait whether a new component may wait for a service
     * @param counts which of those that worked before count
     */
    List<String> worseThan(
            Set<Key> before, long targetId, boolean newMayWait, Predicate<Key> counts) {
        List<String> losses = new ArrayList<>();
        for (Key key : before) {
            State now = states.get(key);
            if (!counts.test(key)) {
                continue;
            }
            if (now == null && key.bundleId() != targetId) {
                losses.add(key.text() + " is gone");
            } else if (now != null && now != State.GOOD) {
                losses.add(key.text() + words(key, now));
            }
        }
        states.forEach(
                (key, state) -> {
                    boolean fresh = key.bundleId() == targetId && !before.contains(key);
                    if (fresh && isLoss(state, newMayWait)) {
                        losses.add(key.text() + words(key, state));
                    }
                });
        losses.sort(null);
        return losses;
    }

    /** Returns how a component is doing; empty when it is gone. */
    Optional<State> state(Key key) {
        return Optional.ofNullable(states.get(key));
    }

    /** Returns what a component uses and offers; nothing when it is gone. */
    ComponentUses uses(Key key) {
        return uses.getOrDefault(key, ComponentUses.NONE);
    }

    Set<Key> all() {
        return states.keySet();
    }

    private static boolean isLoss(State fresh, boolean mayWait) {
        return switch (fresh) {
            case GOOD, OFF -> false;
            case WAITING -> !mayWait;
            case COMING, FAILED -> true;
        };
    }

    private String words(Key key, State state) {
        return switch (state) {
            case GOOD -> " works";
            case COMING -> " is only just there";
            case WAITING -> " waits for a service";
            case OFF -> " has no configuration";
            case FAILED -> " could not be made: " + reasons.getOrDefault(key, "no reason is known");
        };
    }
}
