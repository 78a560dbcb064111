package palyra.api.core.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.api.Require;

/**
 * A change that is applied as a whole or not at all.
 *
 * @param idempotencyKey makes it happen once; empty means that every commit is a new one
 * @param result small answer stored with the idempotency key and returned when it is used again; at
 *     most 4,096 bytes; not copied
 * @param preconditions what must hold
 * @param operations what changes, in order; at most 1,000
 * @param lane its priority lane
 * @param step makes it happen once as a step of its stream; empty when it is not a step
 * @param makesRoom whether it belongs to work that makes room on the medium: with at most 16 KiB of
 *     payload it is then taken also while space is short
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as they will be stored
public record Unit(
        Optional<IdempotencyKey> idempotencyKey,
        byte[] result,
        List<Precondition> preconditions,
        List<Operation> operations,
        Lane lane,
        Optional<Step> step,
        boolean makesRoom) {
    /** Most operations in one unit. */
    public static final int MAX_OPERATIONS = 1_000;

    /**
     * A step of a stream that one writer writes, one after the other: the next begins when the
     * outcome of the one before is known. The store keeps the key of the stream's last step. A unit
     * with that key was applied before: it is not applied again, and {@link Committed#replayed} is
     * true. So a step whose outcome is unknown is handed in again with the same key. Costs no row
     * and no page of its own.
     *
     * @param streamId the stream, which may begin in the unit
     * @param key no two steps of the stream have the same; at most 128 characters
     */
    public record Step(String streamId, String key) {
        /** Checks. */
        public Step {
            Require.text(streamId, "stream id");
            Require.text(key, "step key");
            Require.that(
                    key.length() <= 128,
                    "the key of a step has " + key.length() + " characters: at most 128 are taken");
        }
    }

    /**
     * How urgent a unit is. Units of one lane keep their order; between lanes there is no order.
     */
    public enum Lane {
        /** Commands, states, decisions. */
        COMMAND,
        /** Streamed text; never delays a command. */
        BULK
    }

    /** Checks and copies. */
    public Unit {
        Require.present(idempotencyKey, "idempotency key");
        result = result == null ? new byte[0] : result;
        Require.that(result.length <= 4_096, "the stored answer of a unit has at most 4096 bytes");
        preconditions = List.copyOf(preconditions);
        operations = List.copyOf(operations);
        Require.that(
                operations.size() <= MAX_OPERATIONS,
                "a unit has at most " + MAX_OPERATIONS + " operations");
        Require.present(lane, "lane");
        Require.present(step, "step");
    }

    /** Creates a unit that is not a step of a stream. */
    public Unit(
            Optional<IdempotencyKey> idempotencyKey,
            byte[] result,
            List<Precondition> preconditions,
            List<Operation> operations,
            Lane lane) {
        this(idempotencyKey, result, preconditions, operations, lane, Optional.empty(), false);
    }

    /** Returns a unit of the command lane without preconditions. */
    public static Unit of(Operation... operations) {
        return new Unit(Optional.empty(), null, List.of(), List.of(operations), Lane.COMMAND);
    }

    /** Returns the same unit as part of work that makes room. */
    public Unit makingRoom() {
        return new Unit(idempotencyKey, result, preconditions, operations, lane, step, true);
    }

    /** Returns the same unit, which happens once. */
    public Unit once(IdempotencyKey key) {
        return new Unit(Optional.of(key), result, preconditions, operations, lane, step, makesRoom);
    }

    /** Returns a builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects the parts of a unit. Not thread-safe. */
    public static final class Builder {
        private final List<Precondition> preconditions = new ArrayList<>();
        private final List<Operation> operations = new ArrayList<>();
        private IdempotencyKey key;
        private byte[] result;
        private Lane lane = Lane.COMMAND;
        private Step step;

        private Builder() {}

        /** Adds a precondition. */
        public Builder require(Precondition precondition) {
            preconditions.add(precondition);
            return this;
        }

        /** Adds an operation after those already added. */
        public Builder add(Operation operation) {
            operations.add(operation);
            return this;
        }

        /** Adds operations after those already added. */
        public Builder addAll(List<? extends Operation> more) {
            operations.addAll(more);
            return this;
        }

        /** Makes the unit happen once and stores {@code answer} with the key. */
        public Builder once(IdempotencyKey idempotencyKey, byte[] answer) {
            key = idempotencyKey;
            result = answer;
            return this;
        }

        /** Makes the unit a step of a stream, which happens once. */
        public Builder step(String streamId, String stepKey) {
            step = new Step(streamId, stepKey);
            return this;
        }

        /** Sets the lane. */
        public Builder lane(Lane chosen) {
            lane = chosen;
            return this;
        }

        /** Returns the unit. */
        public Unit build() {
            return new Unit(
                    Optional.ofNullable(key),
                    result,
                    preconditions,
                    operations,
                    lane,
                    Optional.ofNullable(step),
                    false);
        }
    }
}
