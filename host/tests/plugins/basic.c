/* A plugin in C with its own declarations of VPP's records, as far as it uses them. Offsets and versions come
   from the test. */

#include <stdarg.h>
#include <stdint.h>
#include <stddef.h>

typedef struct
{
  uint8_t default_disabled;
  char version[64];
  char version_required[64];
  char overrides[256];
  const char *early_init;
  const char *description;
  const char *load_after;
} __attribute__ ((aligned (64))) registration_t;

typedef struct node_registration
{
  void *function;
  void *node_fn_registrations;
  char *name;
  char *sibling_of;
  uint32_t index, type;
  char **error_strings;
  void *error_counters;
  void *format_buffer, *unformat_buffer;
  void *format_trace, *unformat_trace;
  void *validate_frame, *runtime_data;
  uint16_t process_log2_n_stack_bytes;
  uint8_t runtime_data_bytes, state;
  uint16_t flags;
  uint8_t protocol_hint, vector_size, aux_size;
  uint16_t scalar_size, n_errors, n_next_nodes;
  struct node_registration *next_registration;
  char *next_nodes[1];
} node_registration_t;

typedef struct feature_registration
{
  struct feature_registration *next, *next_in_arc;
  char *arc_name, *node_name;
  uint32_t *feature_index_ptr;
  uint32_t feature_index;
  char **runs_before, **runs_after;
  void *enable_disable_cb;
} feature_registration_t;

#ifndef NO_REGISTRATION
__attribute__ ((section (".vlib_plugin_registration"), visibility ("default"), used))
registration_t vlib_plugin_registration = {
  .version = "1.2.3",
  .version_required = VERSION_REQUIRED,
  .early_init = EARLY_INIT,
  .description = "for tests",
};
#endif

extern uint8_t vlib_global_main[], feature_main[];
extern uint8_t vlib_buffer_func_main[];
uint8_t *format (uint8_t *s, const char *fmt, ...);
void *_clib_error_return (void *errors, long code, uintptr_t flags, const char *where, const char *fmt, ...);
void _clib_error (int how_to_die, const char *function, uintptr_t line, const char *fmt, ...);
uint32_t vlib_log_register_class (const char *, const char *);
void vlib_log (int level, uint32_t class, const char *fmt, ...);
uint8_t *vlib_add_trace (void *vm, void *rt, void *b, uint32_t n);

static int calls;

/* Traces how often it was called, drops nothing. */
static uintptr_t
node_function (void *vm, void *rt, uint8_t *frame)
{
  uint16_t n = *(uint16_t *) (frame + 10);
  uint32_t *from = (uint32_t *) (frame + *(uint16_t *) (frame + 6));
  uint8_t *buffer_main = *(uint8_t **) ((uint8_t *) vm + BUFFER_MAIN);
  calls++;
  for (int i = 0; i < n; i++)
    {
      uint8_t *b = *(uint8_t **) buffer_main + ((uintptr_t) from[i] << 6);
      *(int *) vlib_add_trace (vm, rt, b, 4) = calls;
    }
  void (*enqueue) (void *, void *, uint32_t *, uint16_t, uint32_t) =
    *(void **) (vlib_buffer_func_main + ENQUEUE_TO_SINGLE_NEXT);
  enqueue (vm, rt, from, 0, n);
#ifdef UNKNOWN_SYMBOL
  extern void vlib_no_such_function (void);
  extern int vnet_no_such_data;
  if (calls > vnet_no_such_data)
    vlib_no_such_function ();
#endif
  return n;
}

static uint8_t *
format_trace (uint8_t *s, va_list *va)
{
  va_arg (*va, void *);
  va_arg (*va, void *);
  int *record = va_arg (*va, int *);
  return format (s, "call %d|%5u|%-5s|%=6s|%05x|%X|%lu|%c|%.2f|%e|%v|%%|%*d|%.2s", *record, 7u, "ab", "abc",
		 255, 0xbeef, 1ul << 40, 'x', 0.5, 12345.678, format (0, "vec"), 4, 9, "truncated");
}

static node_registration_t node = {
  .function = node_function,
  .name = "c-node",
  .vector_size = 4,
  .format_trace = format_trace,
  .n_next_nodes = 1,
  .next_nodes = { "ip4-lookup" },
};

static char *before[] = { "ip4-lookup", 0 };
static feature_registration_t feature = { .arc_name = "ip4-unicast", .node_name = "c-node", .runs_before = before };

static node_registration_t **nodes = (node_registration_t **) (vlib_global_main + NODE_REGISTRATIONS);
static feature_registration_t **features = (feature_registration_t **) (feature_main + NEXT_FEATURE);

__attribute__ ((constructor)) static void
add (void)
{
  node.next_registration = *nodes;
  *nodes = &node;
  feature.next = *features;
  *features = &feature;
}

__attribute__ ((destructor)) static void
rm (void)
{
#ifndef FORGET
  node_registration_t **n = nodes;
  while (*n != &node)
    n = &(*n)->next_registration;
  *n = node.next_registration;
  feature_registration_t **f = features;
  while (*f != &feature)
    f = &(*f)->next;
  *f = feature.next;
#endif
}

void *
early_ok (void *vm, void *info)
{
  (void) vm, (void) info;
  vlib_log (5, vlib_log_register_class ("c-plugin", "start"), "hello %s, %d", "log", 42);
  return 0;
}

void *
early_refuse (void *vm, void *info)
{
  (void) vm, (void) info;
  return _clib_error_return (0, 0, 0, 0, "no licence for %s", "this");
}

void *
early_abort (void *vm, void *info)
{
  (void) vm, (void) info;
  _clib_error (1, "early_abort", 7, "nothing works: %d", 42);
  return 0;
}
