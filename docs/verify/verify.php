<?php
// Verifies a Tenure webhook in PHP (7.1 or later).

/**
 * @param string $rawBody the request body exactly as it came: file_get_contents('php://input')
 * @param string $header  the value of X-Service-Signature: $_SERVER['HTTP_X_SERVICE_SIGNATURE']
 * @param string $secret  the endpoint's secret, whsec_ included
 */
function verify_webhook(string $rawBody, ?string $header, string $secret, ?int $now = null): bool
{
    $timestamp = null;
    $signatures = [];
    foreach (explode(',', $header ?? '') as $part) {
        [$name, $value] = array_pad(explode('=', $part, 2), 2, '');
        if ($name === 't') {
            $timestamp = $timestamp ?? $value;
        } elseif ($name === 'v1') {
            $signatures[] = $value;
        }
    }
    if (preg_match('/\A\d{1,15}\z/', $timestamp ?? '') !== 1 || abs(($now ?? time()) - (int) $timestamp) > 300) {
        return false;
    }
    $expected = hash_hmac('sha256', $timestamp . '.' . $rawBody, $secret);
    // While a secret is being rotated there are two signatures: one valid one is enough.
    foreach ($signatures as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}
