/** Which runs go on and who works on them: the queue, the workers, retries and quarantine. */
package palyra.gateway.internal.engine.queue;
