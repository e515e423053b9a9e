/* The symbols that VPP exports and plugins import, for a program that is no VPP.

   Data is sized for the largest release. Functions forward to the host, except those with variable
   arguments, which Rust cannot define: they are here. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <malloc.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t i64;
typedef uintptr_t uword;

#define DATA __attribute__ ((aligned (64)))

/* ---- data ---- */

DATA u8 vlib_global_main[1024];
DATA u8 vlib_buffer_func_main[256];
DATA u8 feature_main[512];
char *vlib_plugin_app_version = "";
char *vlib_plugin_path = "";
u8 *vnet_trace_placeholder;
/* 16 bits in some releases, more in others; only thread 0 exists. */
__thread u64 __os_thread_index;

/* Whether plugins register or withdraw now; src/loader.rs describes it. */
int vppkit_host_loading = 0;

/* ---- functions that the host fills in ---- */

struct ops
{
  void *(*add_trace) (void *vm, void *rt, void *b, u32 n_bytes);
  void *(*get_next_frame) (void *vm, void *rt, u32 next, u32 fresh);
  void (*put_next_frame) (void *vm, void *rt, u32 next, u32 n_left);
  void *(*get_frame_to_node) (void *vm, u32 node);
  void (*put_frame_to_node) (void *vm, u32 node, void *frame);
  void (*frame_free) (void *vm, void *frame);
  void *(*get_node_by_name) (void *vm, const char *name);
  uword (*add_next) (void *vm, uword node, uword next, uword slot);
  uword (*add_named_next) (void *vm, uword node, const char *name, uword slot);
  u8 (*arc_index) (const char *arc);
  int (*feature_enable) (const char *arc, const char *node, u32 sw_if_index, int enable, void *config,
			 u32 n_config_bytes);
  u32 (*log_register) (const char *class, const char *subclass);
  void (*log) (int level, u32 class, const u8 *text, uword len);
  void (*report) (void *errors);
  uword (*length_in_chain) (void *vm, void *b);
};

static struct ops ops;

void
vppkit_host_install (const struct ops *table)
{
  ops = *table;
}

void *
vlib_add_trace (void *vm, void *rt, void *b, u32 n_bytes)
{
  return ops.add_trace (vm, rt, b, n_bytes);
}

void *
vlib_get_next_frame_internal (void *vm, void *rt, u32 next, u32 fresh)
{
  return ops.get_next_frame (vm, rt, next, fresh);
}

void
vlib_put_next_frame (void *vm, void *rt, u32 next, u32 n_left)
{
  ops.put_next_frame (vm, rt, next, n_left);
}

void *
vlib_get_frame_to_node (void *vm, u32 node)
{
  return ops.get_frame_to_node (vm, node);
}

void
vlib_put_frame_to_node (void *vm, u32 node, void *frame)
{
  ops.put_frame_to_node (vm, node, frame);
}

void
vlib_frame_free (void *vm, void *frame)
{
  ops.frame_free (vm, frame);
}

void *
vlib_get_node_by_name (void *vm, u8 *name)
{
  return ops.get_node_by_name (vm, (const char *) name);
}

uword
vlib_node_add_next_with_slot (void *vm, uword node, uword next, uword slot)
{
  return ops.add_next (vm, node, next, slot);
}

uword
vlib_node_add_named_next_with_slot (void *vm, uword node, char *name, uword slot)
{
  return ops.add_named_next (vm, node, name, slot);
}

uword
vlib_buffer_length_in_chain_slow_path (void *vm, void *b)
{
  return ops.length_in_chain (vm, b);
}

void *
vlib_get_main_not_inline (void)
{
  void **mains;
  memcpy (&mains, vlib_global_main, sizeof (mains));
  return mains ? mains[0] : 0;
}

u8
vnet_get_feature_arc_index (const char *arc)
{
  return ops.arc_index (arc);
}

int
vnet_feature_enable_disable (const char *arc, const char *node, u32 sw_if_index, int enable, void *config,
			     u32 n_config_bytes)
{
  return ops.feature_enable (arc, node, sw_if_index, enable, config, n_config_bytes);
}

u32
vlib_log_register_class (char *class, char *subclass)
{
  return ops.log_register (class, subclass);
}

/* ---- vectors of bytes, laid out as vppinfra/vec.h says ---- */

#define VEC_HEADER_BYTES 64

struct vec_header
{
  u32 len;
  u8 hdr_size;
  u8 log2_align;
  u8 grow_elts;
  u8 pad;
};

/* The length counts elements, whatever their size. */
static uword
vec_len (const void *v)
{
  return v ? ((const struct vec_header *) v)[-1].len : 0;
}

static void
vec_set_len (void *v, uword len)
{
  if (v)
    ((struct vec_header *) v)[-1].len = (u32) len;
}

static void *
resize (void *old, uword len, uword element)
{
  u8 *v = old;
  uword bytes = len * element;
  if (!v || malloc_usable_size (v - VEC_HEADER_BYTES) - VEC_HEADER_BYTES < bytes)
    {
      uword room = (VEC_HEADER_BYTES + bytes + bytes / 2 + 127) & ~(uword) 63;
      u8 *block = aligned_alloc (64, room);
      if (!block)
	abort ();
      memset (block, 0, room);
      u8 *fresh = block + VEC_HEADER_BYTES;
      struct vec_header h = { .hdr_size = VEC_HEADER_BYTES / 8, .log2_align = 6 | 0x80 };
      ((struct vec_header *) fresh)[-1] = h;
      if (v)
	{
	  memcpy (fresh, v, vec_len (v) * element);
	  free (v - VEC_HEADER_BYTES);
	}
      v = fresh;
    }
  vec_set_len (v, len);
  return v;
}

static u8 *
resize_bytes (u8 *v, uword len)
{
  return resize (v, len, 1);
}

static u8 *
append (u8 *s, const void *bytes, uword n)
{
  uword at = vec_len (s);
  if (n == 0)
    return s;
  s = resize_bytes (s, at + n);
  memcpy (s + at, bytes, n);
  return s;
}

/* ---- format ---- */

struct spec
{
  char justify;
  char pad;
  char how_long;
  int has_precision;
  uword width;
  uword precision;
};

static u8 *
justify (u8 *s, const struct spec *p, uword from)
{
  uword have = vec_len (s) - from;
  if (p->width == 0 || have == p->width)
    return s;
  if (have > p->width)
    {
      vec_set_len (s, from + p->width);
      return s;
    }
  uword fill = p->width - have, left = 0;
  if (p->justify == '+')
    left = fill;
  else if (p->justify == '=')
    left = fill - fill / 2;
  s = resize_bytes (s, from + p->width);
  memmove (s + from + left, s + from, have);
  memset (s + from, p->pad, left);
  memset (s + from + left + have, p->pad, fill - left);
  return s;
}

static u8 *
put_integer (u8 *s, u64 value, int base, int is_signed, int bits, int upper)
{
  char text[72];
  int at = sizeof (text);
  int negative = 0;
  if (bits < 64)
    {
      if (is_signed)
	value = (u64) (i64) (int32_t) value;
      else
	value &= ((u64) 1 << bits) - 1;
    }
  if (is_signed && (i64) value < 0)
    {
      negative = 1;
      value = -value;
    }
  do
    {
      unsigned digit = value % base;
      text[--at] = digit < 10 ? '0' + digit : (upper ? 'A' : 'a') + digit - 10;
      value /= base;
    }
  while (value);
  if (negative)
    text[--at] = '-';
  return append (s, text + at, sizeof (text) - at);
}

static u8 *
put_float (u8 *s, double x, int precision, char style)
{
  char text[400];
  if (isnan (x))
    return append (s, signbit (x) ? "-NaN" : "+NaN", 4);
  if (isinf (x))
    return append (s, signbit (x) ? "-infinity" : "+infinity", 9);
  if (style == 'g')
    style = x == 0 || (fabs (x) > 1e-10 && fabs (x) < 1e10) ? 'f' : 'e';
  if (style == 'f')
    {
      snprintf (text, sizeof (text), "%.*f", precision, x);
      /* VPP writes .5, not 0.5. */
      char *digits = text + (text[0] == '-');
      if (digits[0] == '0' && digits[1] == '.' && x != 0)
	memmove (digits, digits + 1, strlen (digits));
      return append (s, text, strlen (text));
    }
  snprintf (text, sizeof (text), "%.*e", precision, x);
  char *e = strchr (text, 'e');
  if (!e)
    return append (s, text, strlen (text));
  long exponent = strtol (e + 1, 0, 10);
  s = append (s, text, e - text);
  snprintf (text, sizeof (text), "e%ld", exponent);
  return append (s, text, strlen (text));
}

static const char *
directive (u8 **result, const char *f, va_list *va)
{
  u8 *s = *result;
  uword from = vec_len (s);
  struct spec p = { .justify = '+', .pad = ' ' };
  char c = *++f;

  if (c == '%')
    {
      *result = append (s, "%", 1);
      return f + 1;
    }
  if (c == '-' || c == '+' || c == '=')
    {
      p.justify = c;
      c = *++f;
    }
  if (c == '0')
    p.pad = '0';
  for (int i = 0; i < 2; i++)
    {
      uword n = 0;
      if (c == '*')
	{
	  n = va_arg (*va, int);
	  c = *++f;
	}
      else
	for (; c >= '0' && c <= '9'; c = *++f)
	  n = 10 * n + (c - '0');
      if (i == 0)
	p.width = n;
      else
	p.precision = n;
      if (i == 1 || c != '.')
	break;
      p.has_precision = 1;
      c = *++f;
    }
  if (c == 'w' || c == 'l' || c == 'L')
    {
      p.how_long = c;
      c = *++f;
      if (p.how_long == 'l' && c == 'l')
	{
	  p.how_long = 'L';
	  c = *++f;
	}
    }
  if (c == 0)
    {
      *result = s;
      return f;
    }

  switch (c)
    {
    case 'c':
      {
	char one = (char) va_arg (*va, int);
	s = append (s, &one, 1);
      }
      break;
    case 'p':
      s = append (s, "0x", 2);
      s = put_integer (s, (uword) va_arg (*va, void *), 16, 0, 64, 0);
      break;
    case 'd':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      {
	int wide = p.how_long != 0;
	u64 value = wide ? va_arg (*va, u64) : (u64) (i64) va_arg (*va, int);
	int base = c == 'x' || c == 'X' ? 16 : c == 'o' ? 8 : 10;
	s = put_integer (s, value, base, c == 'd', wide ? 64 : 32, c == 'X');
      }
      break;
    case 's':
    case 'S':
      {
	const char *text = va_arg (*va, const char *);
	uword at = vec_len (s);
	if (!text)
	  s = append (s, "(nil)", 5);
	else
	  s = append (s, text, p.has_precision ? strnlen (text, p.precision) : strlen (text));
	if (c == 'S')
	  for (uword i = at; i < vec_len (s); i++)
	    if (s[i] == '_')
	      s[i] = ' ';
      }
      break;
    case 'v':
      {
	const u8 *v = va_arg (*va, const u8 *);
	uword n = vec_len (v);
	s = append (s, v, p.has_precision && p.precision < n ? p.precision : n);
      }
      break;
    case 'f':
    case 'g':
    case 'e':
      {
	int precision = !p.has_precision ? 6 : p.precision > 60 ? 60 : (int) p.precision;
	s = put_float (s, va_arg (*va, double), precision, c);
      }
      break;
    case 'U':
      {
	u8 *(*user) (u8 *, va_list *) = va_arg (*va, u8 * (*) (u8 *, va_list *) );
	s = user (s, va);
      }
      break;
    default:
      {
	char text[48];
	snprintf (text, sizeof (text), "**** unknown format `%%%c' ****", c);
	*result = append (s, text, strlen (text));
	return f + 1;
      }
    }
  *result = justify (s, &p, from);
  return f + 1;
}

u8 *
va_format (u8 *s, const char *fmt, va_list *va)
{
  const char *f = fmt;
  while (*f)
    {
      const char *run = f;
      while (*f && *f != '%')
	f++;
      s = append (s, run, f - run);
      if (*f)
	f = directive (&s, f, va);
    }
  return s;
}

u8 *
format (u8 *s, const char *fmt, ...)
{
  va_list va;
  va_start (va, fmt);
  s = va_format (s, fmt, &va);
  va_end (va);
  return s;
}

u8 *
format_white_space (u8 *s, va_list *va)
{
  u32 n = va_arg (*va, u32);
  while (n--)
    s = append (s, " ", 1);
  return s;
}

u8 *
format_hex_bytes (u8 *s, va_list *va)
{
  const u8 *bytes = va_arg (*va, const u8 *);
  int n = va_arg (*va, int);
  for (int i = 0; i < n; i++)
    s = format (s, "%02x", bytes[i]);
  return s;
}

u8 *
format_ip4_address (u8 *s, va_list *va)
{
  const u8 *a = va_arg (*va, const u8 *);
  return format (s, "%d.%d.%d.%d", a[0], a[1], a[2], a[3]);
}

u8 *
format_ethernet_address (u8 *s, va_list *va)
{
  const u8 *a = va_arg (*va, const u8 *);
  return format (s, "%02x:%02x:%02x:%02x:%02x:%02x", a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* What a node's format_trace makes of one record, as `show trace` calls it. */
u8 *
vppkit_host_format_trace (void *function, void *vm, void *node, void *data)
{
  return format (0, "  %U", function, vm, node, data);
}

/* ---- errors and log ---- */

struct clib_error
{
  u8 *what;
  const u8 *where;
  uword flags;
  i64 code;
};

void *
_clib_error_return (struct clib_error *errors, i64 code, uword flags, const char *where, const char *fmt, ...)
{
  uword at = vec_len (errors);
  struct clib_error e = { .where = (const u8 *) where, .flags = flags, .code = code };
  va_list va;
  va_start (va, fmt);
  if (fmt)
    e.what = va_format (0, fmt, &va);
  va_end (va);
  errors = resize (errors, at + 1, sizeof (e));
  errors[at] = e;
  return errors;
}

uword
_clib_error_report (void *errors)
{
  if (errors)
    ops.report (errors);
  return 0;
}

/* Ends the process, as VPP does. The log is never shown then, so stderr gets who asked for it, and why. */
static void
die (const void *caller, const char *function, const u8 *why)
{
  Dl_info info;
  const char *file = dladdr (caller, &info) && info.dli_fname ? info.dli_fname : "unknown code";
  const char *slash = strrchr (file, '/');
  fprintf (stderr, "vppkit-host: %s called %s, which ends VPP: %.*s\n", slash ? slash + 1 : file, function,
	   (int) vec_len (why), why ? (const char *) why : "");
  abort ();
}

/* Levels are those of vlib/log.h: 4 is error, 5 is warning. */
void
_clib_error (int how_to_die, const char *function, uword line, const char *fmt, ...)
{
  u8 *s = 0;
  va_list va;
  if (function)
    s = line ? format (s, "%s:%wd: ", function, line) : format (s, "%s: ", function);
  va_start (va, fmt);
  s = va_format (s, fmt, &va);
  va_end (va);
  ops.log (5, ~0u, s, vec_len (s));
  /* Bits 0 and 1: abort, fatal. */
  if (how_to_die & 3)
    die (__builtin_return_address (0), "_clib_error", s);
  if (s)
    free (s - VEC_HEADER_BYTES);
}

void
vlib_log (int level, u32 class, char *fmt, ...)
{
  va_list va;
  va_start (va, fmt);
  u8 *s = va_format (0, fmt, &va);
  va_end (va);
  ops.log (level, class, s, vec_len (s));
  if (s)
    free (s - VEC_HEADER_BYTES);
}

void
os_panic (void)
{
  die (__builtin_return_address (0), "os_panic", 0);
}
