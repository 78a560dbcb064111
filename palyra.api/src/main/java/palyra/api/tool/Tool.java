package palyra.api.tool;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * A tool that runs inside the gateway's JVM. Register it as a service; it is offered from then on,
 * as far as the agent's list, configuration and policy allow.
 *
 * <p>Code in a bundle is fully trusted. A tool that runs an untrusted program belongs in a sandbox
 * instead. When two services carry one name, the one with the higher {@code service.ranking} wins,
 * then the lower {@code service.id}.
 */
@ConsumerType
public interface Tool {
    /**
     * Returns the tool's descriptor; called from any thread. It is read when the service comes and
     * again when a property of the service changes; in between it is constant, and its name is for
     * the life of the service.
     */
    ToolDescriptor descriptor();

    /**
     * Executes one call. Runs on a thread of the executor, several calls at a time.
     *
     * <p>The thread is interrupted when the call is cancelled, its deadline passes, or the tool's
     * bundle stops; end promptly then. A thrown exception becomes a failed result with its message.
     */
    ToolResult execute(ToolInvocation invocation) throws Exception;
}
