package palyra.transport.grpc.internal.server;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.access.Access;
import palyra.api.core.access.Credential;
import palyra.shared.gate.Gate;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.call.Callers;

/**
 * Authenticates every call and puts the {@link Caller} into its context. It cannot be switched off;
 * only methods that return no data about users are exempt. Refusals are thrown as PalyraException,
 * for {@link Errors} outside of it.
 */
final class Authentication implements ServerInterceptor {
    private static final Set<String> EXEMPT_METHODS =
            Set.of("palyra.gateway.v1.GatewayService/GetHealth");
    private static final Set<String> EXEMPT_SERVICES =
            Set.of(
                    "grpc.health.v1.Health",
                    "grpc.reflection.v1.ServerReflection",
                    "grpc.reflection.v1alpha.ServerReflection");

    private final Gate<Access> access;
    private final SignInLimiter signIns;
    private final InstantSource clock;

    Authentication(Gate<Access> access, SignInLimiter signIns, InstantSource clock) {
        this.access = access;
        this.signIns = signIns;
        this.clock = clock;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        var method = call.getMethodDescriptor();
        if (EXEMPT_METHODS.contains(method.getFullMethodName())
                || EXEMPT_SERVICES.contains(method.getServiceName())) {
            return next.startCall(call, headers);
        }
        Context context =
                Context.current().withValue(Callers.KEY, caller(call, new CallMetadata(headers)));
        return Contexts.interceptCall(context, call, headers, next);
    }

    private Caller caller(ServerCall<?, ?> call, CallMetadata metadata) {
        String deviceId = metadata.deviceId();
        String channel = metadata.channel();
        String speaksFor = metadata.principal();
        Credential credential =
                metadata.token()
                        .or(
                                () ->
                                        PeerCertificates.of(
                                                call.getAttributes()
                                                        .get(Grpc.TRANSPORT_ATTR_SSL_SESSION)))
                        .orElseThrow(Authentication::unauthenticated);
        Proof proof = new Proof(access, credential, speaksFor, validUntil(call, credential), clock);
        return new Caller(authenticated(call, proof), deviceId, channel, proof);
    }

    private static PalyraException unauthenticated() {
        return new PalyraException(
                ErrorCode.UNAUTHENTICATED,
                "This call needs a credential and carries none; send metadata authorization:"
                        + " Bearer palyra_….");
    }

    private static Instant validUntil(ServerCall<?, ?> call, Credential credential) {
        return credential instanceof Credential.ClientCertificate
                ? PeerCertificates.validUntil(
                        call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION))
                : Instant.MAX;
    }

    private Principal authenticated(ServerCall<?, ?> call, Proof proof) {
        Principal own = signIns.attempt(address(call), proof::own);
        ConnectionCalls.accepted(own.credentialId(), proof);
        return proof.speaking(own);
    }

    /** Null when the transport has no addresses. */
    private static InetAddress address(ServerCall<?, ?> call) {
        return call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR)
                        instanceof InetSocketAddress socket
                ? socket.getAddress()
                : null;
    }

    /**
     * A credential and for whom it speaks.
     *
     * @param speaksFor principal id; empty means for itself
     * @param validUntil when the credential ends by itself
     */
    record Proof(
            Gate<Access> access,
            Credential credential,
            String speaksFor,
            Instant validUntil,
            InstantSource clock)
            implements Caller.Proof {
        Principal own() {
            if (!clock.instant().isBefore(validUntil)) {
                throw new PalyraException(
                        ErrorCode.UNAUTHENTICATED,
                        "The client certificate expired at "
                                + validUntil
                                + "; connect with a new one.");
            }
            return access.call(present -> present.authenticate(credential));
        }

        Principal speaking(Principal own) {
            return speaksFor.isEmpty() || speaksFor.equals(own.id())
                    ? own
                    : access.call(present -> present.speakFor(own, speaksFor));
        }

        @Override
        public Principal principal() {
            return speaking(own());
        }

        @Override
        public void check() {
            own();
        }
    }
}
