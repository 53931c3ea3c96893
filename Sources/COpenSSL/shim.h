#pragma once

// The functions below EVP, which are deprecated for no fault of SHA-256: the first use of EVP reads
// openssl.cnf and looks for providers, more than a millisecond of each command.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
