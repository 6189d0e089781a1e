# Completion of stencil_run's arguments for bash, installed as share/bash-completion/completions/stencil_run.
# The lists are those of the program: tests/drivers/config/completion_test.cpp compares them with its tables.

_stencil_run_options="--check --json --report --trace --progress --list --init --help --version"
# begin of the lists
_stencil_run_filters="bandpass bandstop lowpass highpass gaussian average smooth derivative"
_stencil_run_keys="--input.file --input.dataset --input.join --input.gaps --input.overlap --input.clock --input.select --input.edges --input.axis --input.sampling_rate --input.packed --output.file --output.dataset --output.dtype --output.scale --output.chunk --output.compression --output.overwrite --output.copy --output.verify --output.snapshot_every --missing.value --missing.policy --missing.min_valid --missing.fill_value --missing.edges --missing.keep --missing.joint --missing.mask --stencil.operation --stencil.mask --stencil.rank --stencil.axis --stencil.axes --stencil.sigma --stencil.order --stencil.truncate --stencil.radius --stencil.inner --stencil.ratio --stencil.size --stencil.taps --stencil.cutoff --stencil.window --stencil.template --stencil.psd --stencil.polyorder --stencil.deriv --stencil.delta --stencil.boundary --stencil.boundary_value --stencil.extent --stencil.origin --stencil.stride --stencil.steps --stencil.until_change_below --stencil.groups --stencil.method --run.backend --run.precision --run.decomposition --run.memory --run.transport --run.time_step --run.nonfinite --run.look_every --run.checkpoint --run.checkpoint_every --run.restart --run.time_limit"
declare -gA _stencil_run_words=(
  [input.gaps]="refuse fill split"
  [input.overlap]="refuse first last"
  [input.clock]="files first"
  [input.edges]="data boundary"
  [input.packed]="values stored"
  [output.dtype]="auto float16 bfloat16 float32 float64 int8 uint8 int16 uint16 int32 uint32 int64 uint64"
  [output.overwrite]="false true"
  [output.copy]="none rest"
  [output.verify]="all none"
  [missing.policy]="propagate renormalize fill"
  [missing.edges]="boundary missing"
  [missing.keep]="false true"
  [missing.joint]="false true"
  [stencil.operation]="correlate convolve"
  [stencil.mask]="gaussian box binomial disk annulus log dog laplace sobel prewitt lowpass highpass bandpass bandstop matched savgol"
  [stencil.rank]="auto 1 2"
  [stencil.window]="hamming hann blackman blackmanharris nuttall bartlett boxcar cosine flattop kaiser:BETA gaussian:STD"
  [stencil.boundary]="reflect mirror nearest clamp wrap periodic zero interp constant"
  [stencil.extent]="same valid full"
  [stencil.method]="auto direct separable fft"
  [run.backend]="auto cpu cuda"
  [run.precision]="auto float32 float64"
  [run.transport]="auto host mpi nccl peer"
  [run.nonfinite]="stop note"
  [run.restart]="auto never"
)
# end of the lists

# Prints the whole word at the cursor: readline splits words at = and :
_stencil_run_word() {
  local line=${COMP_LINE:0:COMP_POINT}
  printf '%s' "${line##*[[:space:]]}"
}

_stencil_run() {
  local word key value previous=${COMP_WORDS[COMP_CWORD-1]}
  word=$(_stencil_run_word)
  COMPREPLY=()
  case $previous in
    --init) mapfile -t COMPREPLY < <(compgen -W "$_stencil_run_filters" -- "$word"); return ;;
    --progress) mapfile -t COMPREPLY < <(compgen -W "auto bar lines none" -- "$word"); return ;;
    --list | --report | --trace) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
  esac
  case $word in
    --*=*)
      key=${word%%=*} value=${word#*=}
      key=${key#--}
      # a named stage has the keys of [stencil]: --stencil.NAME.key
      [[ $key == stencil.*.* ]] && key=stencil.${key##*.}
      if [[ -n ${_stencil_run_words[$key]} ]]; then
        mapfile -t COMPREPLY < <(compgen -W "${_stencil_run_words[$key]}" -- "$value")
      else
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$value")
      fi
      ;;
    --*)
      mapfile -t COMPREPLY < <(compgen -W "$_stencil_run_options" -- "$word"; compgen -S = -W "$_stencil_run_keys" -- "$word")
      [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
      ;;
    *)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      ;;
  esac
}

complete -F _stencil_run stencil_run
