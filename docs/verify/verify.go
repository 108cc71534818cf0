// Package verify checks a Tenure webhook in Go (1.19 or later), with nothing but its standard library.
package verify

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// Webhook tells whether rawBody (exactly as it came, before any JSON parsing) was signed with the endpoint's
// secret (whsec_ included); header is the value of X-Service-Signature.
func Webhook(rawBody []byte, header, secret string, now time.Time) bool {
	var timestamps, signatures []string
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "t":
			timestamps = append(timestamps, value)
		case "v1":
			signatures = append(signatures, value)
		}
	}
	if len(timestamps) == 0 {
		return false
	}
	timestamp := timestamps[0]
	// Unsigned, so that neither + nor - passes; of 47 bits, which are 15 digits at most.
	seconds, err := strconv.ParseUint(timestamp, 10, 47)
	if err != nil || now.Sub(time.Unix(int64(seconds), 0)).Abs() > 300*time.Second {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(rawBody)
	expected := []byte(hex.EncodeToString(mac.Sum(nil)))
	// While a secret is being rotated there are two signatures: one valid one is enough.
	for _, signature := range signatures {
		if hmac.Equal([]byte(signature), expected) {
			return true
		}
	}
	return false
}
