/**
 * The gateway as a component: binds what may come and go, keeps an engine running, and tells
 * operators which runs cannot continue. The component runtime makes it; other bundles see its
 * services alone.
 */
package palyra.gateway.internal;
