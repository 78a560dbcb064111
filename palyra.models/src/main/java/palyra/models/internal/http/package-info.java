/** Model providers over HTTP: turns, failures and the circuit breaker. */
package palyra.models.internal.http;
