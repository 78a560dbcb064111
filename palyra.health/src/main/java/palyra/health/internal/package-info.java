/**
 * Health, readiness and metrics over HTTP. Each check is a Felix health check; {@link
 * palyra.health.internal.HttpAuthorizer} decides which response a caller gets.
 */
package palyra.health.internal;
